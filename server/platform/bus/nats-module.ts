import { StartError } from "../postgres/start-error.ts";

/** The used part of @nats-io/transport-node. The package is optional, so its types are declared here. */
export interface NatsModule {
  connect(options: Record<string, unknown>): Promise<NatsConnection>;
}

export interface NatsConnection {
  publish(subject: string, payload: string): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: { string(): string }) => void },
  ): unknown;
  status(): AsyncIterable<{ type: string }>;
  close(): Promise<void>;
}

const PACKAGE: string = "@nats-io/transport-node";

/** Throws a StartError if the package is not installed. */
export async function loadNats(name = PACKAGE): Promise<NatsModule> {
  try {
    return (await import(name)) as NatsModule;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new StartError(
      "package-missing",
      `PARLEY_NATS_URL is set, but the package ${PACKAGE} is not installed. Run "npm ci" without leaving out optional dependencies.`,
    );
  }
}
