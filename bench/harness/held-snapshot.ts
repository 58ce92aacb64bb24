import pg from "pg";
import type { Database } from "../../server/platform/db/database.ts";

/** A connection without the server's time limits, whose transaction keeps all versions of rows. */
export class HeldSnapshot {
  #client: pg.Client | undefined;

  async hold({ connection }: Pick<Database, "connection">): Promise<void> {
    this.#client = new pg.Client(connection);
    await this.#client.connect();
    await this.#client.query("begin isolation level repeatable read, read only");
    // The first statement takes the snapshot.
    await this.#client.query("select count(*) from organization_logs");
  }

  async release(): Promise<void> {
    await this.#client?.end();
    this.#client = undefined;
  }
}
