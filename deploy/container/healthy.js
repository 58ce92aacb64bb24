// Whether the server in this container answers: the command of HEALTHCHECK. It asks /health, which is about
// this process alone, since a new start brings no database back.
import http from "node:http";
import https from "node:https";

const { PARLEY_PORT = "9991", PARLEY_TLS } = process.env;
// The certificate is for the name that people use, and not for this one.
const options = { host: "127.0.0.1", port: PARLEY_PORT, path: "/health", rejectUnauthorized: false };
const request = (PARLEY_TLS ? https : http).get(options, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
});
request.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
