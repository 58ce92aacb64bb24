/** An assistant with the official client of MCP, over a real connection. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface Assistant {
  client: Client;
  /** The text of a tool's result. Throws if it is an error. */
  use(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** The text of a result that is an error. Throws if it is none. */
  refusal(tool: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Connects as the account of the credentials, `Bearer …` or `Basic …`. */
export async function connectAssistant(site: string, authorization: string): Promise<Assistant> {
  const client = new Client({ name: "test-assistant", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", site), {
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>, isError: boolean): Promise<string> => {
    const result = await client.callTool({ name, arguments: args });
    const [first] = result.content as { type: string; text: string }[];
    const text = first?.text ?? "";
    if ((result.isError ?? false) !== isError) throw new Error(`${name}: ${text}`);
    return text;
  };
  return {
    client,
    use: (tool, args = {}) => call(tool, args, false),
    refusal: (tool, args = {}) => call(tool, args, true),
    close: () => client.close(),
  };
}

/** The numbers of the messages in a result, in its order. */
export function messageIdsIn(text: string): number[] {
  return [...text.matchAll(/^\[(\d+)\] /gm)].map(([, id]) => Number(id));
}

/** The cursor at the end of a result. */
export function cursorIn(text: string): string | undefined {
  return /with cursor "([^"]+)"[^"\n]*$/.exec(text)?.[1];
}
