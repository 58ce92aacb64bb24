/** What a request of the web client has beside its cookie. */
export const ownPageHeaders = { "sec-fetch-site": "same-origin", "x-parley-client": "ParleyWeb" };
