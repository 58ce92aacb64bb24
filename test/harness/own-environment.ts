/** The environment of the tests without settings. A server refuses those that only tests have. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_")));
}
