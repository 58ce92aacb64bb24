/** The kinds of mistakes that have opened other chat servers. docs/security-model.md says which. */
export const mistakes = [
  "live events reach people who could not fetch the same data",
  "the event of an edit carries a text to people who may not read the message",
  "a moved message stays readable, or can be found, for its old readers",
  "a preview of another message or page outlives the right to see it",
  "people who have left keep some of their access",
  "an id of another organization is accepted",
  "a call gives its caller, or the caller's bot, a higher role",
  "an invitation works elsewhere, for more than it was made for, or for those who only saw it",
  "a pattern or a text makes the server compute for seconds",
  "a name or a text becomes markup in a page",
  "an uploaded file runs as a script, or reaches a decoder that it should not",
  "the server fetches an address of its own network for somebody",
  "a value of another type passes a check that expects a text",
  "passwords can be guessed, cost the server much, show who exists, or shut others out",
  "a session outlives its account, or a link that should work once works twice",
] as const;
