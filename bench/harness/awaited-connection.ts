import { HttpConnection } from "./http-connection.ts";

/** One connection, whose answers are awaited. */
export class AwaitedConnection {
  readonly #connection: HttpConnection;
  readonly #open: Promise<void>;
  #answered: (answer: { status: number; body: string }) => void = () => {};
  #failed: (error: unknown) => void = () => {};

  constructor(port: number) {
    let opened = () => {};
    this.#open = new Promise((resolve) => {
      opened = resolve;
    });
    this.#connection = new HttpConnection(port, {
      onOpen: opened,
      onAnswer: (_isOk, answer, bodyStart) => {
        const status = Number(answer.toString("latin1", 9, 12));
        this.#answered({ status, body: answer.toString("utf8", bodyStart) });
      },
      onError: (error) => this.#failed(error),
    });
  }

  async ask(request: string): Promise<{ status: number; body: string }> {
    await this.#open;
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#connection.send(request);
    });
  }

  close(): void {
    this.#connection.close();
  }
}
