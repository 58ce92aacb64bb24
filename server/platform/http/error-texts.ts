/**
 * What is wrong with a form, in the reader's language. The errors of the API are English. Their names lead to
 * the texts here, and an error without one is shown as it is.
 */
import { PageText } from "./page.ts";

type Data = Readonly<Record<string, string | number>>;

const wait = ({ retryAfter }: Data) => {
  const minutes = Math.ceil(Number(retryAfter) / 60);
  return minutes <= 1 ? "einer Minute" : `${minutes} Minuten`;
};

/** By the name of the error's declaration. */
const german: Readonly<Record<string, (data: Data) => string>> = {
  accountDeactivated: () => "Das Konto ist deaktiviert.",
  authenticationFailed: () => "E-Mail-Adresse oder Passwort ist falsch.",
  bodyTooLarge: () => "Das ist mehr, als der Server annimmt.",
  databaseAway: () => "Der Server erreicht seine Datenbank nicht. Versuche es gleich noch einmal.",
  disposableEmail: () => "Wegwerf-Adressen sind in dieser Organisation nicht erlaubt.",
  emailNotAllowed: () => "Diese E-Mail-Adresse ist in der Organisation nicht erlaubt.",
  emailTaken: () => "Diese E-Mail-Adresse wird schon verwendet.",
  emailWithPlus: () => "E-Mail-Adressen mit + sind nicht erlaubt.",
  foreignOrigin: () => "Formulare von anderen Websites werden nicht angenommen.",
  fullNameLength: () => "Ein Name muss 2 bis 100 Zeichen haben.",
  hostTaken: () => "Eine Organisation mit dieser Adresse gibt es schon.",
  insufficientPermission: () => "Das darfst du nicht.",
  internal: () =>
    "Auf dem Server ist etwas schiefgegangen. Die Leute, die ihn betreiben, finden es im Protokoll.",
  invalidEmail: () => "Das ist keine E-Mail-Adresse.",
  invalidFullName: () => "In dem Namen sind Zeichen, die nicht erlaubt sind.",
  invalidHost: () => "Die Adresse kann nur 3 bis 40 Buchstaben, Ziffern und Bindestriche haben.",
  invalidOrganizationName: () => "Der Name der Organisation fehlt, oder er ist zu lang.",
  nameTaken: () => "Dieser Name wird schon verwendet.",
  noSecondStep: () => "Diesen zweiten Faktor gibt es nicht.",
  organizationDeactivated: () => "Diese Organisation ist deaktiviert.",
  passkeyNotAccepted: () =>
    "Der Passkey wurde nicht angenommen. Versuche es noch einmal, oder melde dich anders an.",
  passwordLength: ({ min, max }) => `Ein Passwort muss ${min} bis ${max} Zeichen haben.`,
  rateLimitHit: () => "Das waren zu viele Anfragen. Versuche es später noch einmal.",
  recentProofRequired: () => "Zeige noch einmal, dass du es bist: mit deinem Passwort.",
  secondStepExists: () => "Eine Authenticator-App ist schon eingerichtet. Entferne sie zuerst.",
  secondStepNotStarted: () => "Beginne zuerst, die Authenticator-App einzurichten.",
  secondStepRequired: () => "Das Konto hat einen zweiten Faktor: auch ein Code ist nötig.",
  secondStepSetupRequired: () => "Deine Organisation verlangt einen zweiten Faktor. Richte zuerst einen ein.",
  serverBusy: () => "Der Server hat gerade zu viel zu tun. Versuche es gleich noch einmal.",
  sessionEnded: () => "Die Sitzung ist zu Ende. Melde dich noch einmal an.",
  shuttingDown: () => "Der Server wird gerade neu gestartet. Versuche es gleich noch einmal.",
  tooManyInOrganization: () => "Die Organisation nimmt keine weiteren Personen auf.",
  tooManyPasswords: () => "Gerade melden sich viele Leute an. Versuche es in einigen Sekunden noch einmal.",
  tooManyWrongCodes: (data) =>
    `Es gab zu viele falsche Codes. Versuche es in ${wait(data)} noch einmal, oder frage die Leute, die den Server betreiben.`,
  tooManyWrongPasswords: (data) =>
    `Es gab zu viele falsche Passwörter. Versuche es in ${wait(data)} noch einmal, oder frage die Leute, die den Server betreiben.`,
  userDeactivated: () => "Dein Konto wurde deaktiviert.",
  usernameNotEmail: () => "Gib eine E-Mail-Adresse ein.",
  weakPassword: () => "Das Passwort ist zu kurz oder zu leicht zu erraten.",
  wrongPassword: () => "Das Passwort ist falsch.",
  wrongSecondStep: () => "Der Code ist falsch, oder er wurde schon verwendet.",
};

/** An `ApiError`, whatever its data. */
interface DeclaredError {
  message: string;
  declaration: { name: string };
  data: unknown;
}

/** Where the API has to speak of a "username", and a page asks for an address. */
const english: Readonly<Record<string, string>> = {
  authenticationFailed: "Your email address or password is incorrect.",
};

export function problemText({ message, declaration, data }: DeclaredError): PageText {
  const de = german[declaration.name]?.((data ?? {}) as Data) ?? message;
  // What the error says may have braces of its own.
  return new PageText({ en: "{en}", de: "{de}" }, { en: english[declaration.name] ?? message, de });
}
