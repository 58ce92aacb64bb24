// A function that takes all of `Services` says nothing of what it does, so only few files have one.
// tools/check-sources.js asks here.

/**
 * The files that get all of the services, each with the reason. Anything else says which of them it uses.
 * @type {Record<string, string>}
 */
const wholeServices = {
  "cli/installation/installation.ts": "commands of every kind run on an installation",
  "server/app.ts": "it makes them",
  "server/module-parts.ts": "a module hands them to its lists of routes, jobs and pages",
  "server/modules.ts": "it joins those lists",
  "server/process/single.ts": "what runs before a server listens may use all of it",
};

/**
 * The function that begins a list of routes or of pages may take them too.
 * @param {import("./source-files.js").Sources} sources file contents by path from the root
 * @returns {string[]} a sentence for each place
 */
export function wholeServicesProblems(sources) {
  return [...sources].flatMap(([file, text]) => {
    if (!/^(server|cli)\//.test(file) || wholeServices[file]) return [];
    const isOfLists = /(\/handlers|[/-]pages)\.ts$/.test(file);
    const checked = isOfLists ? text.replace(/^export function \w+\([^)]*/gm, "") : text;
    return [...checked.matchAll(/(\w+|\})\??: Services\b(?!\[)/g)].map(
      ([found]) =>
        `${file}: "${found}" takes all services: name those that are used, as in Pick<Services, "database">.`,
    );
  });
}
