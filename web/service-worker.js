// Keeps the program in the browser: the page and its files, of this version. What the API answers is never
// kept. The build puts the names before this text, as `shell`.
/* global shell, self, caches, fetch */
const OWN = `shell ${shell.build}`;

self.addEventListener("install", (event) => {
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && pathname === "/") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** Without a session, the address of the page leads elsewhere, and there is nothing to keep. */
async function fill() {
  const cache = await caches.open(OWN);
  await cache.addAll(shell.files);
  const answer = await fetch("/", { redirect: "manual" });
  if (answer.ok) await cache.put("/", answer);
  await self.skipWaiting();
}

/** Tabs that are open may still need files of the version before this one. */
async function takeOver() {
  const names = (await caches.keys()).filter((name) => name.startsWith("shell ") && name !== OWN);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function page(request) {
  try {
    const answer = await fetch(request);
    const cache = await caches.open(OWN);
    if (answer.ok && !(await cache.match("/"))) await cache.put("/", answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match("/");
    if (kept) return kept;
    throw error;
  }
}

/** A name has the hash of its content. What was not kept from the start are the texts of other languages. */
async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && request.url.endsWith(".js")) await (await caches.open(OWN)).put(request, answer.clone());
  return answer;
}
