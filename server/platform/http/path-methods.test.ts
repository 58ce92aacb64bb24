import { describe, expect, test } from "vitest";
import { MAX_PATH_PARAMETER, NUMBER, PathMethods } from "./path-methods.ts";

/** Toys with a number, beside a fixed path, and views whose name takes the rest of the path. */
function toyPaths(): PathMethods {
  const paths = new PathMethods();
  paths.add("/toys", ["POST"]);
  paths.add("/toys/:toy_id", ["GET"]);
  paths.add("/toys/:id", ["DELETE"]);
  paths.add("/toys/flags", ["POST"]);
  paths.add("/toys/:toy_id/parts", ["GET"]);
  paths.add("/views/*", ["PATCH"]);
  return paths;
}

function allowed(target: string): string[] | string | undefined {
  const form = toyPaths().find(target);
  return typeof form === "object" ? [...form.methods].sort() : form;
}

test.each([
  ["/toys", ["POST"]],
  ["/toys/7", ["DELETE", "GET"]],
  ["/toys/", ["DELETE", "GET"]],
  ["/toys/flags", ["POST"]],
  ["/toys/flags/parts", ["GET"]],
  ["/views/a/b", ["PATCH"]],
  ["/views/", ["PATCH"]],
  ["/toys?to=7", ["POST"]],
  ["/toys#7", ["POST"]],
  ["/to%79s/fl%61gs", ["POST"]],
  ["/toys/a%2Fb", ["DELETE", "GET"]],
])("%s is a path with the methods %j", (target, methods) => {
  expect(allowed(target)).toEqual(methods);
});

test.each(["/", "/toys/7/8", "/TOYS", "/views", "/toys/%zz", "//toys", "/toys%2F7"])(
  "%s is no path",
  (target) => {
    expect(allowed(target)).toBeUndefined();
  },
);

test("a parameter has a longest value, and the rest of a path has none", () => {
  const longest = "%41".repeat(MAX_PATH_PARAMETER);
  expect(allowed(`/toys/${longest}`)).toEqual(["DELETE", "GET"]);
  expect(allowed(`/toys/${longest}A`)).toBe("too long");
  expect(allowed(`/views/${longest}A`)).toEqual(["PATCH"]);
});

test("a method is hidden where another form has the path and the method", () => {
  const hidden = toyPaths()
    .hiddenMethods()
    .map(({ form, hidden }) => [form.url, hidden.sort()]);
  expect(hidden).toEqual([
    ["/toys/:toy_id", ["POST"]],
    ["/toys/flags", ["DELETE", "GET"]],
  ]);
});

test("a path that takes the rest hides what lies within it", () => {
  const paths = new PathMethods();
  paths.add("/files/*", ["GET"]);
  paths.add("/files/:id/parts", ["POST"]);
  const hidden = paths.hiddenMethods().map(({ form, hidden }) => [form.url, hidden]);
  expect(hidden).toEqual([
    ["/files/*", ["POST"]],
    ["/files/:id/parts", ["GET"]],
  ]);
});

describe("a request is served", () => {
  const paths = new PathMethods<string>();
  paths.add("/toys", ["POST"], "make");
  paths.add("/toys/:toy_id", ["GET", "HEAD"], "show");
  paths.add("/toys/:id", ["DELETE"], "remove");
  paths.add("/toys/flags", ["POST"], "flag");
  paths.add("/toys/:toy_id/parts/:part", ["GET"], "part");
  paths.add("/views/*", ["PATCH"], "view");
  paths.add("/people/:email", ["GET"], "by email");
  paths.add(`/people/:id${NUMBER}`, ["GET"], "by id");
  paths.add("/elsewhere/:id", ["GET"]);

  test.each([
    ["POST", "/toys", "make", {}],
    ["GET", "/toys/7", "show", { toy_id: "7" }],
    ["HEAD", "/toys/7", "show", { toy_id: "7" }],
    ["DELETE", "/toys/7?id=8#9", "remove", { id: "7" }],
    ["GET", "/toys/", "show", { toy_id: "" }],
    ["POST", "/to%79s/fl%61gs", "flag", {}],
    ["GET", "/toys/a%2Fb%25%3f/parts/%C3%A9", "part", { toy_id: "a/b%?", part: "é" }],
    ["GET", "/toys/flags/parts/%2561", "part", { toy_id: "flags", part: "%61" }],
    ["PATCH", "/views/a%2Fb/c%20d/", "view", { "*": "a/b/c d/" }],
    ["PATCH", "/views/", "view", { "*": "" }],
    ["GET", "/people/7", "by id", { id: "7" }],
    ["GET", "/people/%37", "by id", { id: "7" }],
    ["GET", "/people/7@toys.test", "by email", { email: "7@toys.test" }],
  ])("%s %s by %s, with %j", (method, target, serve, params) => {
    expect(paths.match(method, target)).toEqual({ serve, params });
  });

  test.each([
    ["GET", "/toys"],
    ["GET", "/toys/flags"],
    ["POST", "/toys/7"],
    ["GET", "/views"],
    ["GET", "/toys/%zz"],
    ["GET", `/toys/${"7".repeat(MAX_PATH_PARAMETER + 1)}`],
    ["GET", "/elsewhere/7"],
  ])("but not %s %s", (method, target) => {
    expect(paths.match(method, target)).toBeUndefined();
  });

  test("by one route alone", () => {
    expect(() => paths.add("/toys/:other", ["GET"], "again")).toThrow("two routes have the address");
  });
});
