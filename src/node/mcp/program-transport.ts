import { setTimeout as wait } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { firstCharacters, lastCharacters } from "../../core/base/text.ts";
import { whenDrained } from "../process/drain.ts";
import { keepAlive } from "../process/keep-alive.ts";
import { type ProgramCall, type StartedProgram, startProgram } from "../process/start-program.ts";
import { MOST_MESSAGE_BYTES, MOST_STRAY_LINES } from "./limits.ts";
import { McpServerError } from "./mcp-error.ts";
import type { Sdk } from "./sdk.ts";

/** How long a server may take to end after its stdin was closed. */
const FAREWELL_MILLISECONDS = 250;
/** How much of the last output is stored for error messages. */
const TAIL_CHARACTERS = 500;
const NEWLINE = 0x0a;

/**
 * A connection to a server that is a program: one JSON message per line. It runs in its own process group and is ended
 * with everything it started. While no call is pending, it does not keep our process alive.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended by itself. */
  ended: McpServerError | undefined;
  private readonly name: string;
  private readonly call: ProgramCall;
  private readonly lines: Sdk["lines"];
  private program: StartedProgram | undefined;
  private closing: Promise<void> | undefined;
  private received: Buffer[] = [];
  private size = 0;
  private stderr = "";
  private strayLine = "";
  /** Since the last message. */
  private strayLines = 0;

  constructor(name: string, call: ProgramCall, lines: Sdk["lines"]) {
    this.name = name;
    this.call = call;
    this.lines = lines;
  }

  /** Starts the program. Throws a ProgramError when it can't. */
  async start(): Promise<void> {
    const program = await startProgram(this.call, "pipe");
    this.program = program;
    const { child } = program;
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    child.stdout?.on("data", (chunk: Buffer) => this.receive(chunk));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = lastCharacters(this.stderr + text, TAIL_CHARACTERS);
    });
    child.once("exit", (code, signal) => {
      // Its last output may still be in the pipe.
      whenDrained(child, () => this.end("error", `ended (${signal ?? `exit code ${code}`})`));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.program?.child.stdin;
    if (stdin === undefined || stdin === null || this.ended !== undefined || this.closing !== undefined)
      return Promise.reject(this.ended ?? new Error("Not connected."));
    return new Promise((resolve, reject) => {
      stdin.write(this.lines.serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the program with everything it started. Never rejects. */
  close(): Promise<void> {
    this.closing ??= this.leave();
    return this.closing;
  }

  /** The program may keep our process alive only while a call is pending. */
  keepAlive(wanted: boolean): void {
    if (this.program !== undefined) keepAlive(this.program, wanted);
  }

  /** Its last output that was not a message, for error messages. */
  strayOutput(): string {
    const stray =
      this.strayLine === "" ? "" : `It printed ${JSON.stringify(this.strayLine)}, which is no message.`;
    return [stray, this.stderr.trim()].filter((text) => text !== "").join(" ");
  }

  private async leave(): Promise<void> {
    const { program } = this;
    if (program !== undefined) {
      program.child.stdin?.end();
      const deadline = performance.now() + FAREWELL_MILLISECONDS;
      while (!program.exited() && performance.now() < deadline) await wait(5);
      await program.terminate();
      for (const stream of program.child.stdio) stream?.destroy();
    }
    this.onclose?.();
  }

  private receive(chunk: Buffer): void {
    let rest = chunk;
    if (this.ended !== undefined) return;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.received, rest.subarray(0, end)]);
      this.received = [];
      this.size = 0;
      rest = rest.subarray(end + 1);
      if (line.length <= MOST_MESSAGE_BYTES) this.read(line.toString());
      else this.tooLong();
      if (this.ended !== undefined) return;
    }
    this.size += rest.length;
    if (this.size > MOST_MESSAGE_BYTES) this.tooLong();
    else if (rest.length > 0) this.received.push(rest);
  }

  /** Servers often print to the wrong stream. Such lines are skipped, and reported when the server fails. */
  private read(line: string): void {
    if (line.trim() === "") return;
    // Much cheaper than an exception of the parser.
    if (line.trimStart().startsWith("{") && this.pass(line)) this.strayLines = 0;
    else this.stray(line);
  }

  private pass(line: string): boolean {
    try {
      this.onmessage?.(this.lines.deserializeMessage(line));
      return true;
    } catch {
      return false;
    }
  }

  /** A server that prints without end would keep us busy. */
  private stray(line: string): void {
    this.strayLine = firstCharacters(line, 100);
    this.strayLines += 1;
    if (this.strayLines > MOST_STRAY_LINES)
      this.end("bad_output", `printed more than ${MOST_STRAY_LINES} lines that are no messages`);
  }

  private tooLong(): void {
    this.received = [];
    this.end("bad_output", `sent a message of more than ${MOST_MESSAGE_BYTES} bytes`);
  }

  private end(kind: "error" | "bad_output", problem: string): void {
    if (this.ended !== undefined || this.closing !== undefined) return;
    const stderr = this.strayOutput();
    const name = JSON.stringify(this.name);
    this.ended = new McpServerError(
      kind,
      `The MCP server ${name} ${problem}${stderr === "" ? "." : `: ${stderr}`}`,
    );
    this.onerror?.(this.ended);
    this.close();
  }
}
