import { describe, expect, it } from "vitest";
import { errorTypeOf, readableMessage } from "../../src/monitor/state/error-type.ts";

/** Bodies as the providers send them, in the messages that agents make of them. */
const ANTHROPIC_RATE =
  'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 50 requests per minute. Add a payment method to increase your quota."},"request_id":"req_1"}';
const ANTHROPIC_BALANCE =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}';
const ANTHROPIC_KEY =
  'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}';
const OPENAI_QUOTA =
  'unexpected status 429 Too Many Requests: {"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}';
const OPENAI_RATE =
  '{"error":{"message":"Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM). Visit https://platform.openai.com/account/billing to add a payment method.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}';
const GOOGLE_RATE =
  '{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}';
const GOOGLE_KEY =
  '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}';
const OPENROUTER = '{"error":{"message":"This request requires more credits","code":402}}';

describe("the kind of an error", () => {
  it.each([
    ["a rate limit that speaks of payment and quota", { message: ANTHROPIC_RATE }, "rate_limited"],
    [
      "a balance that is used up, with the status of a bad request",
      { message: ANTHROPIC_BALANCE },
      "out_of_credits",
    ],
    ["a key that is not valid", { message: ANTHROPIC_KEY }, "unauthorized"],
    ["a quota that is used up, with the status of a rate limit", { message: OPENAI_QUOTA }, "out_of_credits"],
    ["a rate limit with an address below billing", { message: OPENAI_RATE }, "rate_limited"],
    ["Google's rate limit", { message: GOOGLE_RATE }, "rate_limited"],
    [
      "Google's status for a key that is not valid says nothing, its words do",
      { message: GOOGLE_KEY },
      "unauthorized",
    ],
    ["OpenRouter's status in the body", { message: OPENROUTER }, "out_of_credits"],
    ["a status in front of a sentence", { message: "402 Payment Required" }, "out_of_credits"],
    ["a status of its own", { status: 429, message: "slow down please" }, "rate_limited"],
    ["a type before the message", { type: "rate_limit", message: "Add a payment method." }, "rate_limited"],
    ["an overloaded server", { type: "HTTP 529 overloaded_error" }, "rate_limited"],
    ["the name of a class", { type: "AuthenticationError" }, "unauthorized"],
    ["what Claude Code calls it", { type: "authentication_failed" }, "unauthorized"],
    ["what Codex calls it", { type: "response_stream_disconnected" }, "no_internet"],
    ["a name that can't be found", { message: "getaddrinfo ENOTFOUND api.example.com" }, "no_internet"],
    ["a refused connection", { message: "connect ECONNREFUSED" }, "no_internet"],
    ["words alone", { message: "Invalid API key · Please run /login" }, "unauthorized"],
    ["a word within another", { message: "The author index is broken." }, "other"],
    ["a payment method of a customer", { message: "PaymentMethod has no field billing." }, "other"],
    ["a socket of the program", { message: "The socket type is not connected to a port." }, "other"],
    ["a number that is no status", { message: "Line 429 of 502 has no value." }, "other"],
    ["an answer that got too long", { type: "max_output_tokens" }, "other"],
    ["nothing", {}, "other"],
  ])("%s", (_, error, kind) => {
    expect(errorTypeOf(error)).toBe(kind);
  });
});

it.each([
  ['[API Error: {"error":{"message":"API key not valid.","code":401}}]', "API key not valid."],
  ["Too many requests", "Too many requests"],
  ["Unexpected {", "Unexpected {"],
])("the message %j reads %s", (message, expected) => {
  expect(readableMessage(message)).toBe(expected);
});
