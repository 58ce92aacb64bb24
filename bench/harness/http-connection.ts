/**
 * One keep-alive connection over a raw socket, with one request in flight. It costs a fraction of node's
 * own client, so on two cores the load takes little time from the measured server. Responses must have a
 * Content-Length.
 */
import { connect, type Socket } from "node:net";

export interface Listener {
  onOpen(): void;
  /** A whole response. Its body starts at `bodyStart`. */
  onAnswer(isOk: boolean, answer: Buffer, bodyStart: number): void;
  onError(error: unknown): void;
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const STATUS_200 = Buffer.from("HTTP/1.1 200");

export class HttpConnection {
  readonly #socket: Socket;
  readonly #listener: Listener;
  #chunks: Buffer[] = [];
  #received = 0;
  #bodyStart = 0;
  /** Length of the whole response; 0 until its head has arrived. */
  #expected = 0;
  #isClosed = false;

  constructor(port: number, listener: Listener) {
    this.#listener = listener;
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("connect", () => listener.onOpen());
    this.#socket.on("data", (chunk) => this.#receive(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  /** A whole HTTP request. */
  send(request: Buffer | string): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.onError(error);
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === 0) this.#readHead();
    if (this.#expected === 0 || this.#received < this.#expected) return;
    const answer = this.#joined();
    this.#chunks = [];
    this.#received = 0;
    this.#expected = 0;
    this.#listener.onAnswer(
      answer.subarray(0, STATUS_200.length).equals(STATUS_200),
      answer,
      this.#bodyStart,
    );
  }

  #readHead(): void {
    const start = this.#joined();
    const end = start.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const length = /content-length: (\d+)/i.exec(start.toString("latin1", 0, end))?.[1];
    if (length === undefined) {
      this.#fail(new Error("an answer has no Content-Length"));
      return;
    }
    this.#chunks = [start];
    this.#bodyStart = end + END_OF_HEAD.length;
    this.#expected = this.#bodyStart + Number(length);
  }

  #joined(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }
}
