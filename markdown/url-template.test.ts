import { describe, expect, test } from "vitest";
import { parseUrlTemplate } from "./url-template.ts";

const VALUES = {
  var: "value",
  hello: "Hello World!",
  path: "/foo/bar",
  empty: "",
  x: "1024",
  y: "768",
  part: "50%25",
};

describe("a URL template", () => {
  test.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{+hello}", "Hello%20World!"],
    ["{+path}/here", "/foo/bar/here"],
    ["{#path:6}here", "#/foo/bhere"],
    ["map?{x,y}", "map?1024,768"],
    ["X{.x,y}", "X.1024.768"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{var:3}", "val"],
    ["{+part}", "50%25"],
    ["{undef}x{?undef}", "x"],
    ["a b/ü", "a%20b/%C3%BC"],
  ])("%s expands to %s", (template, expected) => {
    expect(parseUrlTemplate(template)?.expand(VALUES)).toBe(expected);
  });

  test.each(["{", "}", "{}", "{a b}", "{!x}", "{x:0}", "a{x}}"])("%s is refused", (template) => {
    expect(parseUrlTemplate(template)).toBeNull();
  });

  test("names its variables once each", () => {
    expect(parseUrlTemplate("{a}/{b:2}{?a,c*}")?.variables).toEqual(["a", "b", "c"]);
  });
});
