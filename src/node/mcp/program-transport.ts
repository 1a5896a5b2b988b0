import { setTimeout as wait } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { errorMessage } from "../../core/base/error-text.ts";
import { firstCharacters, lastCharacters } from "../../core/base/text.ts";
import { whenDrained } from "../process/output.ts";
import { keepAlive, type ProgramCall, type StartedProgram, startProgram } from "../process/start-program.ts";
import { McpServerError, MOST_MESSAGE_BYTES, type Sdk, type ServerTransport } from "./server-transport.ts";

/** How long a server may take to end after its stdin was closed. */
const FAREWELL_MILLISECONDS = 250;
/** How much of the last output is stored for error messages. */
const TAIL_CHARACTERS = 500;

/**
 * Not the SDK's own transport, which can end the program alone and not what it started, keeps our process alive, and
 * adds variables of its own.
 *
 * A connection to a server that is a program: one JSON message per line. It runs in its own process group and is ended
 * with everything it started. While no call is pending, it does not keep our process alive.
 */
export class ProgramTransport implements Transport, ServerTransport {
  readonly transport = this;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private failure: McpServerError | undefined;
  private readonly name: string;
  private readonly call: ProgramCall;
  private readonly sdk: Sdk;
  private program: StartedProgram | undefined;
  private closing: Promise<void> | undefined;
  private readonly received: InstanceType<Sdk["ReadBuffer"]>;
  private stderr = "";
  /** What is wrong with the last line that was not a message. */
  private stray = "";

  constructor(name: string, call: ProgramCall, sdk: Sdk) {
    this.name = name;
    this.call = call;
    this.sdk = sdk;
    this.received = new sdk.ReadBuffer({ maxBufferSize: MOST_MESSAGE_BYTES });
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

  ended(): McpServerError | undefined {
    return this.failure;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.program?.child.stdin;
    if (stdin === undefined || stdin === null || this.failure !== undefined || this.closing !== undefined)
      return Promise.reject(this.failure ?? new Error("Not connected."));
    return new Promise((resolve, reject) => {
      stdin.write(this.sdk.serializeMessage(message), (error) => (error ? reject(error) : resolve()));
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
    const stray = this.stray === "" ? "" : `It printed what is no message: ${this.stray}.`;
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
    if (this.failure !== undefined) return;
    try {
      this.received.append(chunk);
    } catch {
      this.end("bad_output", `sent a message of more than ${MOST_MESSAGE_BYTES} bytes`);
    }
    while (this.failure === undefined) {
      try {
        const message = this.received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // Servers often print to the wrong stream. Such lines are skipped, and reported when the server fails.
        this.stray = Buffer.from(firstCharacters(errorMessage(error), 100)).toString();
      }
    }
  }

  private end(kind: "error" | "bad_output", problem: string): void {
    if (this.failure !== undefined || this.closing !== undefined) return;
    const stderr = this.strayOutput();
    const name = JSON.stringify(this.name);
    this.failure = new McpServerError(
      kind,
      `The MCP server ${name} ${problem}${stderr === "" ? "." : `: ${stderr}`}`,
    );
    this.onerror?.(this.failure);
    this.close();
  }
}
