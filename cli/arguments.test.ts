import { describe, expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { type Command, command } from "./command.ts";

const greet = command({
  usage: ["greet NAME [--times N]"],
  details: "Greets.",
  options: {
    times: { value: "N", description: "How often." },
    to: { value: "NAME", multiple: true, description: "Whom." },
    loud: { description: "In capitals." },
    save: { value: "FILE", isValueOptional: true, description: "Where." },
  },
  words: { min: 1, max: 2 },
  run: async () => 0,
});

const parse = (...argv: string[]) => parseArguments(greet, argv);

describe("the arguments of a command", () => {
  test("words and options may come in any order", () => {
    expect(parse("--times", "3", "Ada", "--loud", "--to=x", "--to", "y")).toEqual({
      words: ["Ada"],
      values: { times: "3", loud: true, to: ["x", "y"] },
      settings: {},
      wantsHelp: false,
    });
  });

  test("a setting may be given as an option, which each command has for those that it reads", () => {
    const { values, settings } = parse("Ada", "--loud", "--data-dir", "/srv/parley");
    expect({ values, settings }).toEqual({ values: { loud: true }, settings: { "data-dir": "/srv/parley" } });
    expect(() => parse("Ada", "--port", "1")).toThrow("There is no option --port.");
    const serve = { ...greet, settings: ["port"] as const };
    expect(parseArguments(serve, ["Ada", "--port=1"]).settings).toEqual({ port: "1" });
  });

  test("an option of the command's own is no setting", () => {
    const options = { "data-dir": { value: "DIR", description: "A new one." } };
    const restore: Command = { ...greet, options, run: async () => 0 };
    const { values, settings } = parseArguments(restore, ["Ada", "--data-dir", "new"]);
    expect({ values, settings }).toEqual({ values: { "data-dir": "new" }, settings: {} });
  });

  test("a text that begins with a dash can follow two dashes", () => {
    expect(parse("Ada", "--", "- milk").words).toEqual(["Ada", "- milk"]);
  });

  test("a single dash is a word", () => {
    expect(parse("-").words).toEqual(["-"]);
  });

  test("an unknown option is refused, and a similar name is suggested", () => {
    expect(() => parse("Ada", "--tims", "3")).toThrow("There is no option --tims. Did you mean --times?");
    expect(() => parse("Ada", "--colour")).toThrow(/^There is no option --colour\. Put a text that begins/);
  });

  test("an option without its value is refused", () => {
    expect(() => parse("Ada", "--times")).toThrow(/^--times needs a value/);
    expect(() => parse("Ada", "--loud=very")).toThrow("--loud takes no value.");
  });

  test("an option whose value is optional may stand alone", () => {
    expect(parse("Ada", "--save").values).toEqual({ save: "" });
    expect(parse("Ada", "--save", "--loud").values).toEqual({ save: "", loud: true });
    expect(parse("--save", "--", "Ada")).toMatchObject({ values: { save: "" }, words: ["Ada"] });
    expect(parse("Ada", "--save", "a").values).toEqual({ save: "a" });
    expect(parse("Ada", "--save", "-").values).toEqual({ save: "-" });
    expect(parse("Ada", "--", "--save").words).toEqual(["Ada", "--save"]);
  });

  test("missing and surplus arguments are refused with the usage", () => {
    expect(() => parse()).toThrow("Missing argument. Usage: parley greet NAME [--times N]");
    expect(() => parse("a", "b", "c")).toThrow(
      "Unexpected argument 'c'. Usage: parley greet NAME [--times N]",
    );
  });

  test("--help works even when arguments are missing", () => {
    expect(parse("--help").wantsHelp).toBe(true);
    expect(parse("-h").wantsHelp).toBe(true);
  });
});
