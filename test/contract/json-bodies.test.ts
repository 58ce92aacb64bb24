// The example of every endpoint means the same as a form and as a JSON object.

import { expect, test } from "vitest";
import { endpoints } from "../../api/index.ts";
import { Decoder } from "../../server/platform/http/decode.ts";
import { type Fields, noFields } from "../../server/platform/http/form.ts";
import { parseJsonBody } from "../../server/platform/http/json-body.ts";

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  "the example of %s gives the same parameters as a form and as JSON",
  (_, { parameters, example }) => {
    const decoder = new Decoder(parameters);
    const path = formOf(example.parameters);
    const asForm = decoder.decode(path, undefined, formOf(example.parameters));
    const asJson = decoder.decode(
      path,
      undefined,
      parseJsonBody(Buffer.from(JSON.stringify(example.parameters))),
    );
    expect(asJson).toEqual(asForm);
    expect(asJson.unsupported).toBeUndefined();
  },
);

function formOf(parameters: object): Fields {
  const fields = noFields();
  for (const [name, value] of Object.entries(parameters)) {
    fields[name] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return fields;
}
