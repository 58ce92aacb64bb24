import { exitCodes } from "./exit-codes.ts";
import type { Fault } from "./fault.ts";

const exit = exitCodes.failure;

/** What the server and `parley doctor` find, without a command that fails of it. */
export const partFaults = {
  "disk-low": {
    number: "P601",
    exit,
    what: "A disk that the server writes to is getting full.",
    remedy: "`du -xh DIR | sort -h | tail` says what is large. `PARLEY_BACKUP_KEEP` lets old backups go.",
  },
  "files-away": {
    number: "P602",
    exit,
    what: "Files can't be stored or read: the directory or the bucket does not answer. Messages go on.",
    remedy:
      "`findmnt -T DIR` shows whether the disk is mounted. For a bucket, look at its network and its key.",
  },
  "mail-off": {
    number: "P603",
    exit,
    what: "Mails wait, or one was to be sent, and this server has no settings for mail.",
    remedy: "Set `PARLEY_SMTP_URL` and `PARLEY_MAIL_FROM`, then restart the server.",
  },
  "mail-late": {
    number: "P604",
    exit,
    what: "Mails have waited for a quarter of an hour or longer. The server goes on trying.",
    remedy:
      "`parley mail queue` lists them with what the mail server answered. `parley mail test ADDRESS` tries it.",
  },
  "mail-refused": {
    number: "P605",
    exit,
    what: "The mail server did not take a mail. Its own words are in the line.",
    remedy: "Follow the advice below the line: the password, the port, the certificate or the sender.",
  },
  "jobs-late": {
    number: "P606",
    exit,
    what: "Work that is done in the background is late by ten minutes or more.",
    remedy: "Look for errors in the log: `journalctl -u parley -p warning`.",
  },
  "jobs-failed": {
    number: "P607",
    exit,
    what: "Work in the background was tried many times and then given up.",
    remedy: "The log has the name of each job and its reason: `journalctl -u parley | grep job`.",
  },
  "clock-wrong": {
    number: "P608",
    exit,
    what: "The clock of this machine differs from that of the database, or is behind messages that were sent before.",
    remedy:
      "`timedatectl` says whether the time is set by the network. `timedatectl set-ntp true` does it. If the clock is right and behind a message, that message was written while it was ahead: nothing is to be done, and the warning ends at its time.",
  },
  "certificate-expired": {
    number: "P609",
    exit,
    what: "The certificate has ended, so no browser connects.",
    remedy: "Renew it. With `acme:` in `PARLEY_TLS` the log says why the server could not.",
  },
  "certificate-early": {
    number: "P610",
    exit,
    what: "The certificate is not valid yet, or the clock of this machine is behind.",
    remedy: "`timedatectl` shows the clock.",
  },
  "certificate-host": {
    number: "P611",
    exit,
    what: "The certificate is for another host name than that in `PARLEY_PUBLIC_URL`.",
    remedy:
      "`openssl x509 -noout -ext subjectAltName -in CERTIFICATE` lists its names. Get one for the right name.",
  },
  "certificate-ends": {
    number: "P612",
    exit,
    what: "The certificate ends soon and was not renewed.",
    remedy: "Renew it. With `acme:` in `PARLEY_TLS` the log says why the server could not.",
  },
  "certificate-none": {
    number: "P613",
    exit,
    what: "There is no certificate yet. The server asks for one when it starts.",
    remedy:
      "Start the server and read its log: `journalctl -u parley`. The authority must reach this machine at port 80.",
  },
  "part-unknown": {
    number: "P614",
    exit,
    what: "A part of the server could not be asked how it is.",
    remedy: "The sentence has the reason. If it stays, report it with the log.",
  },
  "node-old": {
    number: "P615",
    exit,
    what: "This Node.js is older than the program needs.",
    remedy: "Install a newer one. `node --version` shows which one is found first.",
  },
  "public-url-unset": {
    number: "P616",
    exit,
    what: "Other machines can reach the server, and it does not know under which address.",
    remedy: "Set `PARLEY_PUBLIC_URL`, such as `https://chat.example.com`.",
  },
  "proxy-unnamed": {
    number: "P617",
    exit,
    what: "A proxy is in front of the server and is not named, so all people share the limits of one address.",
    remedy: "Set `PARLEY_TRUSTED_PROXIES` to the address from which the proxy connects, such as `127.0.0.1`.",
  },
  "files-not-shared": {
    number: "P618",
    exit,
    what: "Several servers may use the database, and files lie where the others may not see them.",
    remedy: "Set `PARLEY_FILES` to a bucket or to a directory that all servers see.",
  },
  "metrics-port": {
    number: "P619",
    exit,
    what: "The address in `PARLEY_METRICS` is taken by another program, or is not one of this machine.",
    remedy: "`ss -ltnp` lists who listens. Choose another port in `PARLEY_METRICS`.",
  },
  "metrics-open": {
    number: "P620",
    exit,
    what: "Anybody who can reach the port reads the metrics, without a password.",
    remedy: "Set `PARLEY_METRICS` to a loopback address, or close the port with a firewall.",
  },
  "public-away": {
    number: "P621",
    exit,
    what: "The address for people can't be reached from this machine, or the proxy does not reach the server.",
    remedy: "Look at the DNS name, the certificate and the proxy: `curl -v ADDRESS/health`.",
  },
  "public-elsewhere": {
    number: "P622",
    exit,
    what: "The address for people leads to another server, or to another address.",
    remedy: "Correct the DNS name, the proxy or `PARLEY_PUBLIC_URL`.",
  },
  "public-host": {
    number: "P623",
    exit,
    what: "The proxy does not pass on under which host name people asked.",
    remedy: "Let it pass the Host header on, with nginx by `proxy_set_header Host $host;`.",
  },
  "public-unready": {
    number: "P624",
    exit,
    what: "The address leads to this server, which has no organization yet or is not well.",
    remedy:
      "`parley organization create NAME` makes an organization. For the rest, see the other lines and the log.",
  },
  "name-shared": {
    number: "P625",
    exit,
    what: "Several things have names that look the same. They were made before names were compared in one form.",
    remedy:
      "`parley topic merge CHANNEL TOPIC` joins topics. Channels and groups are renamed in their settings.",
  },
  "secret-open": {
    number: "P626",
    exit,
    what: "Other users of the machine can read the file with the secret.",
    remedy: "`chmod 600 FILE`, also for copies of it. The next start of the server does the first.",
  },
  "temporary-unwritable": {
    number: "P627",
    exit,
    what: "The directory for temporary files can't be written.",
    remedy: "Set `TMPDIR` to a directory that this user can write.",
  },
  "server-silent": {
    number: "P628",
    exit,
    what: "A server runs on the data directory, and does not answer where it should listen.",
    remedy: "Look at its log and its disk, and whether `PARLEY_PORT` is the value that the server has.",
  },
  "proxies-everybody": {
    number: "P629",
    exit,
    what: "Every address is trusted as a proxy, so anybody can claim any address.",
    remedy:
      "Name in `PARLEY_TRUSTED_PROXIES` only the address from which the proxy connects, such as `127.0.0.1`.",
  },
  "limits-off": {
    number: "P630",
    exit,
    what: "The limits of calls are off.",
    remedy: "Remove `PARLEY_RATE_LIMITS`. It is for measurements.",
  },
  "outgoing-everywhere": {
    number: "P631",
    exit,
    what: "Webhooks of people can reach every address of the network around the server.",
    remedy: "Name in `PARLEY_OUTGOING_ALLOW` only the addresses that they are to reach.",
  },
  "public-url-plain": {
    number: "P632",
    exit,
    what: "People reach the server by http, which anybody on the way can read and change.",
    remedy: "Let a proxy speak https, or set `PARLEY_TLS`, and write https in `PARLEY_PUBLIC_URL`.",
  },
} as const satisfies Record<string, Fault>;
