/** The samples of docs/api/ all make the call that test/contract/sample-calls.test.ts sends to a server. */
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../api/index.ts";
import {
  pythonRecorder,
  sentByClient,
  sentByCurl,
  sentByFetch,
  sentByPython,
  sentFile,
  textsOf,
} from "../../../test/harness/sample-requests.ts";
import {
  callEndpointSample,
  clientSample,
  curlSample,
  fetchSample,
  requestsSample,
  sampleRequest,
  shownIds,
} from "./samples.ts";

const requests = endpoints.map((endpoint) => sampleRequest(endpoint, shownIds));
type Found = Parameters<typeof sentByPython>[0];
/** Two for each endpoint, in their order. */
let byPython: Found[];

beforeAll(() => {
  const programs = requests.flatMap((request) => [requestsSample(request), callEndpointSample(request)]);
  const { status, stdout, stderr, error } = spawnSync("python3", ["-c", pythonRecorder], {
    input: JSON.stringify(programs),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (error)
    throw new Error("The samples in Python need the program python3 to be tested.", { cause: error });
  if (status !== 0) throw new Error(stderr);
  byPython = JSON.parse(stdout);
});

describe("the samples in all languages make the same call", () => {
  test.each(requests.map((request, index) => [request.name, request, index] as const))(
    "%s",
    async (_, request, index) => {
      const { method, path, fields, file } = request;
      const sent = file ? { ...fields, file: sentFile(file.name) } : fields;
      const expected = { method, path, fields: textsOf(sent) };
      const { isSignedIn, ...byCurl } = sentByCurl(curlSample(request));
      expect(byCurl).toEqual(expected);
      expect(isSignedIn).toBe(request.hasCredentials);
      expect(await sentByFetch(fetchSample(request))).toEqual(expected);
      expect(await sentByClient(clientSample(request))).toEqual(expected);
      expect(sentByPython(byPython[2 * index] as Found)).toEqual(expected);
      expect(sentByPython(byPython[2 * index + 1] as Found)).toEqual(expected);
    },
  );
});

test("quotes, ampersands and spaces reach the server as they are", async () => {
  const fields = { content: `It's 5 % "more" & less\nhere`, narrow: [{ operand: "a 'b'" }], flag: true };
  for (const method of ["GET", "POST"] as const) {
    const common = { name: "any", method, path: "/any", fields, parameters: fields };
    const expected = { method, path: "/any", fields: textsOf(fields) };
    for (const needsForm of [false, true]) {
      const request = { ...common, headers: {}, hasCredentials: true, needsForm };
      expect(sentByCurl(curlSample(request))).toMatchObject(expected);
      expect(await sentByFetch(fetchSample(request))).toEqual(expected);
    }
  }
});
