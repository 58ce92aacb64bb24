/** What `@parley-chat/client` exports. */
export { CallError, type Failure } from "./call-error.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export type { Answer, CallOptions, Fetch, FileToSend } from "./connection.ts";
export type * from "./contract.ts";
export type { EventOptions } from "./poll.ts";
