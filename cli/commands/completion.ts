import { type Command, type CommandEntry, command, exitCodes, UsageError } from "../command.ts";
import { settingOptionsOf } from "../setting-options.ts";

/** What may follow words that were typed. */
interface Place {
  /** The words so far: "", "user" or "user list". */
  after: string;
  choices: { word: string; description: string }[];
}

const shells: Readonly<Record<string, (places: readonly Place[]) => string>> = { bash, fish, zsh };

export const completion = command({
  usage: ["completion bash|fish|zsh"],
  details: `
Prints a script by which a shell completes the commands of parley and their options. Where it goes:

  bash  parley completion bash > /etc/bash_completion.d/parley
  fish  parley completion fish > ~/.config/fish/completions/parley.fish
  zsh   parley completion zsh > /usr/local/share/zsh/site-functions/_parley`,
  options: {},
  settings: [],
  words: { min: 1, max: 1 },
  async run({ words: [shell = ""], entries = [] }) {
    if (!Object.hasOwn(shells, shell))
      throw new UsageError(`There are scripts for ${Object.keys(shells).join(", ")}.`);
    process.stdout.write(shells[shell]?.(await placesOf(entries)) ?? "");
    return exitCodes.ok;
  },
});

async function placesOf(entries: readonly CommandEntry[]): Promise<Place[]> {
  const groups = new Map<string, CommandEntry[]>();
  for (const entry of entries) {
    const [first = "", second] = entry.name.split(" ");
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), entry]);
  }
  const first = [
    ...entries.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => choice(name, summary)),
    ...[...groups.keys()].filter((name) => !entries.some((entry) => entry.name === name)).map(groupChoice),
  ].sort((a, b) => (a.word < b.word ? -1 : 1));
  const commands = await Promise.all(
    entries.map(async ({ name, load }) => ({
      after: name,
      choices: [
        ...(groups.get(name) ?? []).map((entry) => choice(secondWord(entry.name), entry.summary)),
        ...optionsOf(await load()),
      ],
    })),
  );
  const groupPlaces = [...groups]
    .filter(([name]) => !entries.some((entry) => entry.name === name))
    .map(([name, members]) => ({
      after: name,
      choices: members.map((member) => choice(secondWord(member.name), member.summary)),
    }));
  return [{ after: "", choices: first }, ...commands, ...groupPlaces];
}

const choice = (word: string, description: string) => ({ word, description });
const groupChoice = (name: string) => choice(name, `commands that begin with ${name}`);
const secondWord = (name: string) => name.slice(name.indexOf(" ") + 1);

function optionsOf(command: Command) {
  const options: Command["options"] = { ...command.options, ...settingOptionsOf(command) };
  return [
    ...Object.entries(options).map(([name, { description }]) => choice(`--${name}`, description)),
    choice("--help", "Show what the command does."),
  ];
}

/** Within single quotes of a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** The places with the most words first, since a shell takes the first pattern that fits. */
const longestFirst = (places: readonly Place[]) =>
  [...places].sort((a, b) => b.after.split(" ").length - a.after.split(" ").length);

function bash(places: readonly Place[]): string {
  const cases = longestFirst(places).map(({ after, choices }) => {
    const pattern = after === "" ? "''" : `${quote(after)} | ${quote(`${after} `)}*`;
    return `    ${pattern}) choices=${quote(choices.map(({ word }) => word).join(" "))} ;;`;
  });
  return `# Completes the commands of parley in bash.
_parley() {
  local word=\${COMP_WORDS[COMP_CWORD]} choices=''
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$typed" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o default -F _parley parley
`;
}

function zsh(places: readonly Place[]): string {
  const cases = longestFirst(places).map(({ after, choices }) => {
    const pattern = after === "" ? "''" : `${quote(after)} | ${quote(`${after} `)}*`;
    const described = choices.map(({ word, description }) => quote(`${word}:${description}`));
    return `    ${pattern}) choices=(${described.join(" ")}) ;;`;
  });
  return `#compdef parley
# Completes the commands of parley in zsh.
_parley() {
  local -a choices
  case "\${(j: :)words[2,CURRENT-1]}" in
${cases.join("\n")}
  esac
  _describe -o parley choices || _files
}
if [ "$funcstack[1]" = _parley ]; then _parley "$@"; else compdef _parley parley; fi
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ after, choices }) => {
    const longer = places.filter((place) => place.after.startsWith(`${after} `)).map((place) => place.after);
    const isAt = `__parley_at ${quote(after)}`;
    const isIn = [
      `__parley_in ${quote(after)}`,
      ...longer.map((each) => `and not __parley_in ${quote(each)}`),
    ].join("; ");
    return choices.map(({ word, description }) => {
      const isOption = word.startsWith("--");
      const what = isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c parley -n "${isOption ? isIn : isAt}" ${what} -d ${quote(description)}`;
    });
  });
  return `# Completes the commands of parley in fish.
function __parley_at
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv[1]"
end
function __parley_in
    set -l words (commandline -opc)
    string match -q -- "$argv[1] *" "$words[2..-1] "
end
${lines.join("\n")}
`;
}
