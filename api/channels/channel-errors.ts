/** The errors of channels, their folders and their default groups. Part of `errors`. */
import { bad, declare } from "../error-declaration.ts";

export const channelErrors = {
  // Channels.
  invalidChannelId: bad("Invalid channel ID"),
  channelsDoNotExist: bad<{ names: string }>(({ names }) => `Channel(s) (${names}) do not exist`),
  unableToAccessChannel: bad<{ name: string }>(({ name }) => `Unable to access channel (${name}).`),
  emptyChannelName: bad("Channel name can't be empty."),
  channelNameCharacter: bad<{ position: number }>(
    ({ position }) => `Invalid character in channel name, at position ${position}.`,
  ),
  channelNameTooLong: bad<{ limit: number }>(
    ({ limit }) => `Channel name too long (limit: ${limit} characters).`,
  ),
  channelNameTaken: bad<{ name: string }>(({ name }) => `Channel name '${name}' is already taken.`),
  channelAlreadyExists: declare<{ name: string }>(
    "CHANNEL_ALREADY_EXISTS",
    409,
    ({ name }) => `A channel named '${name}' already exists.`,
  ),
  noChannelOfThatName: bad<{ name: string }>(({ name }) => `Invalid channel name '${name}'`),
  notSubscribed: bad<{ id: number }>(({ id }) => `You are not subscribed to channel ${id}.`),
  nothingToChange: bad("Nothing to do: give 'add' or 'delete'."),
  noDefaultGroup: bad<{ id: number }>(({ id }) => `There is no group of default channels with the ID ${id}.`),
  nothingToChangeInDefaultGroup: bad("Give 'new_group_name' or 'new_description'."),
  defaultGroupName: bad<{ limit: number }>(
    ({ limit }) => `The name of a group of default channels must have 1 to ${limit} printable characters.`,
  ),
  defaultGroupNameTaken: bad<{ name: string }>(
    ({ name }) => `A group of default channels named '${name}' already exists.`,
  ),
  channelIsDefault: bad<{ name: string }>(({ name }) => `Channel '${name}' is already a default channel.`),
  channelInDefaultGroup: bad<{ channel: string; group: string }>(
    ({ channel, group }) => `Channel '${channel}' is already in '${group}'.`,
  ),
  channelNotInDefaultGroup: bad<{ channel: string; group: string }>(
    ({ channel, group }) => `Channel '${channel}' is not in '${group}'.`,
  ),
  invalidPrincipal: bad("One of the principals is not an active user of this organization."),
  invalidChannelPrivacy: bad("Invalid parameters"),
  privateDefaultChannel: bad("A default channel cannot be private."),
  webPublicNotEnabled: bad("Web-public channels are not enabled."),
  cannotAdministerChannel: declare<never>(
    "CANNOT_ADMINISTER_CHANNEL",
    400,
    "You do not have permission to administer this channel.",
  ),
  contentAccessRequired: bad("You must be able to read the channel to change its permissions."),
  channelNameUnchanged: bad("Channel already has that name!"),
  channelHasNamedTopics: bad("The channel has messages in named topics."),
  archivedDefaultChannel: bad("A default channel cannot be archived."),
  cannotArchiveByUpdate: bad("To archive a channel, delete it; 'is_archived' can only be false here."),
  channelNotArchived: bad("The channel is not archived."),
  channelAlreadyArchived: bad("The channel is already archived."),
  invalidFolder: bad("Invalid channel folder ID"),
  emptyFolderName: bad("A channel folder must have a name."),
  folderNameCharacter: bad<{ position: number }>(
    ({ position }) => `Invalid character in channel folder name, at position ${position}.`,
  ),
  folderNameTaken: bad("Channel folder name already in use"),
  folderNotEmpty: bad("A channel folder that has channels can't be archived."),
  invalidFolderOrder: bad("The order must name each of the organization's channel folders once."),
  invalidGroup: bad("Invalid user group"),
};
