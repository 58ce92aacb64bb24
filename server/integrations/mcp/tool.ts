import type { Static, TObject } from "typebox";
import { Compile } from "typebox/compile";
import type { CallerParameters, Endpoint, Parameters, Reply } from "../../../api/endpoint.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";

/** The caller of a tool, and the API in the caller's name. */
export interface Session {
  viewer: Viewer;
  /** The URL under which the client reached the organization, without a slash at the end. */
  baseUrl: string;
  /** Calls an endpoint. Throws the `ApiError` that a request would get. */
  call<P extends Parameters, R extends Endpoint["reply"]>(
    endpoint: Endpoint<P, R>,
    parameters: CallerParameters<P>,
  ): Promise<Reply<R>>;
}

interface Declaration<S extends TObject> {
  name: string;
  /** For people, where they are asked whether the assistant may use it. */
  title: string;
  description: string;
  input: S;
  /** Whether it only reads. A tool that writes adds something, and neither changes nor deletes. */
  isReadOnly: boolean;
  /** Whether a second call with the same arguments changes nothing. */
  isIdempotent: boolean;
  run(session: Session, args: Static<S>): Promise<string>;
}

/** What assistants can call. */
export interface Tool extends Omit<Declaration<TObject>, "run"> {
  /** Throws `InvalidArguments`, or what `run` throws. */
  run(session: Session, args: unknown): Promise<string>;
}

/** Says what is wrong with a call, so that the assistant can repair it. */
export class InvalidArguments extends Error {}

export function tool<S extends TObject>(declaration: Declaration<S>): Tool {
  // Compiled at the first call, as the parameters of endpoints are.
  let validator: ReturnType<typeof compile<S>> | undefined;
  return {
    ...declaration,
    run: async (session, args) => {
      validator ??= compile(declaration.input);
      return declaration.run(session, validator(args));
    },
  };
}

const MAX_PROBLEMS = 3;

function compile<S extends TObject>(schema: S): (args: unknown) => Static<S> {
  const validator = Compile(schema);
  return (args) => {
    if (validator.Check(args)) return args;
    const known = Object.keys(schema.properties);
    const problems = validator
      .Errors(args)
      .slice(0, MAX_PROBLEMS)
      .map(({ instancePath, message }) => `${instancePath.slice(1, 80) || "the arguments"} ${message}`);
    throw new InvalidArguments(`${problems.join("; ")}. Known arguments: ${known.join(", ")}.`);
  };
}
