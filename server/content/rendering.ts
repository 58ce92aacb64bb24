import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { EMPTY_TOPIC_DISPLAY_NAME } from "../../api/channels/topic-name.ts";
import { foldName } from "../../api/fold-name.ts";
import type { Position } from "../../api/ids.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import type { Lookups } from "../../markdown/lookups.ts";
import { createServerRenderer } from "../../markdown/node/renderer.ts";
import type { RenderedMessage } from "../../markdown/render.ts";
import { canSeeChannel } from "../channels/access.ts";
import { type Channel, channels } from "../channels/channel.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { groups } from "../groups/group.ts";
import { organization } from "../organization/organization.ts";
import { settingOf } from "../organization/setting.ts";
import { guestContacts } from "../people/access/guest-contacts.ts";
import { canAccessUserId, isLimitedGuest } from "../people/access/user-access.ts";
import { userSettingOf } from "../people/settings/user-setting.ts";
import { type User, users } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { TurnBudget } from "../platform/std/turn-budget.ts";
import { customEmoji, emojiUrl, stillEmojiUrl } from "./emoji/custom-emoji.ts";
import { externalAddresses } from "./external-content/addresses.ts";
import type { KnownPages } from "./external-content/linked-pages.ts";
import { linkifiers } from "./linkifiers/linkifier.ts";
import { pictureOf, type UploadsOfText } from "./uploads/links.ts";

/**
 * Rendering what people ask for takes turns in this, since a text may take long. Owners are user ids, and
 * costs are lengths of texts.
 */
export const renderTurns = new TurnBudget();

const renderer = createServerRenderer();
const addressesOf = externalAddresses();
const lookups = new WeakMap<OrganizationState, Record<"plain" | "withEmoticons", Lookups>>();

export interface RenderContext {
  /** The user whose settings apply; undefined for what the server writes. */
  writer?: User;
  /**
   * Channels that the text links in any case, as the current transaction leaves them. Memory may not know
   * them yet.
   */
  changed?: readonly Channel[];
  /** A person whom the current transaction adds, so that the text can mention them. */
  newcomer?: User | undefined;
  /** Uploads that the text may link. By default none, so that it shows none. */
  uploads?: UploadsOfText | undefined;
  /** Which other channels the text may link. By default, those that the writer may know of. */
  canLink?: (channel: Channel) => boolean;
  /** What is known of pages that the text links to. By default nothing, so their links are links. */
  pages?: KnownPages;
  /** Whether linked pictures are shown. By default the organization's setting decides. */
  hasImages?: boolean;
}

/**
 * Renders a text as HTML and returns what it mentions. Names are looked up in memory, so this needs no query.
 * A channel that the writer may not know of is not linked, so that nobody can discover channels by trying
 * names.
 */
export function renderContent(
  state: OrganizationState,
  content: string,
  context: RenderContext,
): RenderedMessage {
  const { writer, changed = [], newcomer, uploads, canLink = linksOf(state, writer) } = context;
  const known = withPreviews(withUploads(withNewcomer(knownTo(state, writer), newcomer), uploads), context);
  if (!content.includes("#**")) return renderer.render(content, known);
  const channelByName = (name: string) => {
    const isNamed = (channel: Channel) => foldName(channel.name) === foldName(name);
    const given = changed.find(isNamed);
    const channel = given ?? state.get(channels).findByName(name);
    const isKnown = channel && (channel === given || canLink(channel));
    return isKnown ? { id: channel.id, name: channel.name } : undefined;
  };
  return renderer.render(content, { ...known, channelByName });
}

function withNewcomer(known: Lookups, newcomer: User | undefined): Lookups {
  if (!newcomer) return known;
  return { ...known, userById: (id) => (id === newcomer.id ? mentioned(newcomer) : known.userById(id)) };
}

function withUploads(known: Lookups, uploads: UploadsOfText | undefined): Lookups {
  if (!uploads?.size) return known;
  return {
    ...known,
    hasUpload: (path) => uploads.has(path),
    uploadedImage: (path) => {
      const upload = uploads.get(path);
      return upload && pictureOf(upload);
    },
  };
}

function withPreviews(known: Lookups, { pages, hasImages }: RenderContext): Lookups {
  if (!pages && hasImages !== false) return known;
  return {
    ...known,
    ...(pages && { linkPreview: (url: string) => pages.get(url) ?? undefined }),
    ...(hasImages === false && { inlinePreviews: false }),
  };
}

/** What a text without links to channels may look up. */
const named = [users, groups, customEmoji, linkifiers, organization];
/** These also decide whether the writer may know of a channel. */
const namedWithChannels = [...named, channels, subscribers];

/** These also decide whom a writer with limited knowledge may know of. */
const namedByLimited = [...namedWithChannels, guestContacts];

/**
 * The text of a message that is checked more than once before it is sent. It is rendered again only when
 * something that it may look up has changed.
 */
export class Draft {
  readonly #dependencies: typeof namedWithChannels | typeof named;
  readonly #uploads: UploadsOfText | undefined;
  #rendered: RenderedMessage | undefined;
  #renderedAt: Position | undefined;

  /** `uploads`: those that its writer may link. */
  constructor(text: string, uploads?: UploadsOfText) {
    this.#uploads = uploads;
    this.#dependencies = text.includes("#**") ? namedWithChannels : named;
  }

  /** `content`: the text as it will be stored, the same at each call. */
  render(state: OrganizationState, content: string, writer: User): RenderedMessage {
    const dependencies = isLimitedGuest(state, writer) ? namedByLimited : this.#dependencies;
    const changedAt = state.lastChangeOf(dependencies);
    if (this.#rendered === undefined || this.#renderedAt !== changedAt) {
      this.#rendered = renderContent(state, content, { writer, uploads: this.#uploads });
      this.#renderedAt = changedAt;
    }
    return this.#rendered;
  }
}

/** Without a writer, only a channel that needs no account is known to all readers. */
function linksOf(state: OrganizationState, writer: User | undefined): (channel: Channel) => boolean {
  return (channel) => (writer ? canSeeChannel(state, writer, channel) : channel.isWebPublic);
}

/** A guest who may not know of somebody can't find out the name by mentioning them. */
function knownTo(state: OrganizationState, writer: User | undefined): Lookups {
  const all = lookupsOf(state, writer);
  if (!writer || !isLimitedGuest(state, writer)) return all;
  const isKnown = (id: number) => canAccessUserId(state, writer, id);
  const userById: Lookups["userById"] = (id) => (isKnown(id) ? all.userById(id) : undefined);
  return { ...all, userById, userByName: (name) => all.userByName(name).filter(({ id }) => isKnown(id)) };
}

function lookupsOf(state: OrganizationState, writer: User | undefined): Lookups {
  let found = lookups.get(state);
  if (!found) {
    found = { plain: createLookups(state, false), withEmoticons: createLookups(state, true) };
    lookups.set(state, found);
  }
  const hasEmoticons = writer !== undefined && userSettingOf(writer, userSettings.translateEmoticons);
  return hasEmoticons ? found.withEmoticons : found.plain;
}

function createLookups(state: OrganizationState, translateEmoticons: boolean): Lookups {
  return {
    userByName: (name) => state.get(users).findByName(name).map(mentioned),
    userById: (id) => {
      const user = state.get(users).find(id);
      return user && mentioned(user);
    },
    groupByName: (name) => {
      const group = state.get(groups).findByName(name);
      return group?.isActive
        ? { id: group.id, name: group.name, isSystem: group.systemCode !== null }
        : undefined;
    },
    channelByName: () => undefined,
    emojiByName: (name) => {
      const emoji = state.get(customEmoji).findByName(name);
      return (
        emoji && {
          id: `${emoji.id}`,
          url: emojiUrl(state.organizationId, emoji),
          stillUrl: stillEmojiUrl(state.organizationId, emoji),
        }
      );
    },
    get linkifiers() {
      return state.get(linkifiers).compiled;
    },
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    get baseUrl() {
      return `https://${state.get(organization).host}`;
    },
    translateEmoticons,
    get defaultCodeLanguage() {
      return settingOf(state, organizationSettings.defaultCodeBlockLanguage);
    },
    hasUpload: () => false,
    uploadedImage: () => undefined,
    get inlinePreviews() {
      return settingOf(state, organizationSettings.inlineImagePreview);
    },
    proxiedImageUrl: (url) => state.get(addressesOf).imagePath(url),
    // Videos and sounds are too large to be fetched for others, and their hosts may not learn who reads.
    proxiedMediaUrl: () => null,
  };
}

function mentioned(user: User) {
  return { id: user.id, fullName: user.fullName, isActive: user.isActive };
}

/** A text that was rendered before the transaction in which its message is checked. */
export interface PreparedText {
  content: string;
  text: Draft;
  /** The uploads that the text links and the sender may read. */
  uploads: UploadsOfText | undefined;
}
