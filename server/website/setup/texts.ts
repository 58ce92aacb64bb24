import { pageTexts } from "../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    "field.organization": "Name of the organization",
    "field.address": "Its address",
    "field.address.hint": "It comes before .{host}: 3 to 40 letters, digits and hyphens.",
    "form.heading": "Create your organization",
    "form.text": "You will be its owner. You can change everything later.",
    "form.button": "Create organization",
    "ask.heading": "Create an organization",
    "ask.text": "You get a mail with a link by which you name your organization and become its owner.",
    "ended.heading": "This link does not work",
    "ended.text": "It has been used, is more than {hours} hours old, or was not copied completely.",
    "ended.again":
      "If you have not created an organization yet, restart the server. It then prints a new link.",
    "ended.start": "If you have, the {link} shows how to go on.",
    startPage: "start page",
    "many.heading": "Too many requests",
    "many.text": "Wait a minute, then try again.",
    "noMail.heading": "This server can't send mail",
    "noMail.text":
      "Its operators have to configure mail first. It then sends you a link for your organization.",
    "ready.heading": "{organization} is ready",
    "ready.text": "You are its owner. Sign in with your email address and password at its own address:",
    "done.owner":
      "The account that you entered is its owner. Clients sign in with its email address and password. Bots and scripts need its API key, which this command prints:",
    "done.person": "To add a person:",
    "done.where": "Run these commands on the server, in Parley's folder and with the server's settings.",
    "done.client": "People open {link}. There are two more ways:",
    "done.client.link": "the web client",
    "done.terminal": "In a terminal",
    "done.terminal.text": "On the server, in Parley's folder:",
    "done.bot": "With a client or a bot",
    "done.bot.text": "Connect it to this address:",
    "done.bot.more": "Bots written with zulip-js 2.1.0 run unchanged. The {link} page has the quick start.",
    "empty.what": "This is a Parley server: team chat in channels, where every message has a topic.",
    "empty.open": "There is no organization under this address. You can {link}.",
    "empty.open.link": "create one",
    "empty.log":
      "There is no organization under this address. If you run this server: its log says which host name it was asked for.",
    "empty.first":
      "There is no organization under this address. When a server without any organization starts, it prints a link that creates one. Restart the server to get a new link.",
    "empty.api": "See the {link} for what clients and bots can do.",
    "over.text": "This organization has been deactivated. Nobody can sign in, and nothing is deleted.",
    "over.again": "The people who run the server can reactivate it.",
  },
  de: {
    "field.organization": "Name der Organisation",
    "field.address": "Ihre Adresse",
    "field.address.hint": "Sie steht vor .{host}: 3 bis 40 Buchstaben, Ziffern und Bindestriche.",
    "form.heading": "Lege deine Organisation an",
    "form.text": "Sie gehört dann dir. Du kannst später alles ändern.",
    "form.button": "Organisation anlegen",
    "ask.heading": "Eine Organisation anlegen",
    "ask.text":
      "Du bekommst eine Mail mit einem Link, über den du deiner Organisation einen Namen gibst. Sie gehört dann dir.",
    "ended.heading": "Dieser Link gilt nicht",
    "ended.text": "Er wurde schon verwendet, ist mehr als {hours} Stunden alt oder wurde nicht ganz kopiert.",
    "ended.again":
      "Wenn du noch keine Organisation angelegt hast, starte den Server neu. Er gibt dann einen neuen Link aus.",
    "ended.start": "Wenn du eine angelegt hast, zeigt die {link}, wie es weitergeht.",
    startPage: "Startseite",
    "many.heading": "Zu viele Anfragen",
    "many.text": "Warte eine Minute, und versuche es dann noch einmal.",
    "noMail.heading": "Dieser Server kann keine Mails schicken",
    "noMail.text":
      "Die Leute, die ihn betreiben, müssen zuerst Mails einrichten. Dann schickt er dir einen Link für deine Organisation.",
    "ready.heading": "{organization} ist bereit",
    "ready.text":
      "Sie gehört dir. Melde dich mit deiner E-Mail-Adresse und deinem Passwort unter ihrer eigenen Adresse an:",
    "done.owner":
      "Die Organisation gehört dem Konto, das du angegeben hast. Programme melden sich mit dessen E-Mail-Adresse und Passwort an. Bots und Skripte brauchen seinen API-Schlüssel, den dieser Befehl ausgibt:",
    "done.person": "Um jemanden hinzuzufügen:",
    "done.where":
      "Führe diese Befehle auf dem Server aus, im Ordner von Parley und mit den Einstellungen des Servers.",
    "done.client": "Die Leute öffnen {link}. Es gibt zwei weitere Wege:",
    "done.client.link": "das Programm im Browser",
    "done.terminal": "In einem Terminal",
    "done.terminal.text": "Auf dem Server, im Ordner von Parley:",
    "done.bot": "Mit einem Programm oder einem Bot",
    "done.bot.text": "Verbinde es mit dieser Adresse:",
    "done.bot.more":
      "Bots, die mit zulip-js 2.1.0 geschrieben sind, laufen unverändert. Auf der Seite zur {link} steht der schnelle Einstieg.",
    "empty.what":
      "Das ist ein Server von Parley: Team-Chat in Kanälen, in denen jede Nachricht ein Thema hat.",
    "empty.open": "Unter dieser Adresse gibt es keine Organisation. Du kannst {link}.",
    "empty.open.link": "eine anlegen",
    "empty.log":
      "Unter dieser Adresse gibt es keine Organisation. Wenn du diesen Server betreibst: in seinem Protokoll steht, nach welchem Namen er gefragt wurde.",
    "empty.first":
      "Unter dieser Adresse gibt es keine Organisation. Ein Server ohne Organisation gibt beim Start einen Link aus, über den man eine anlegt. Starte den Server neu, um einen neuen Link zu bekommen.",
    "empty.api": "Was Programme und Bots können, steht in der {link}.",
    "over.text": "Diese Organisation ist deaktiviert. Niemand kann sich anmelden, und nichts ist gelöscht.",
    "over.again": "Die Leute, die den Server betreiben, können sie wieder aktivieren.",
  },
});
