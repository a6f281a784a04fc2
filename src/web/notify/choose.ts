import { quietMinutesLeft } from '../../shared/notifications/quiet-hours.ts';
import { scopes, type Scope } from '../../shared/notifications/scopes.ts';
import type { Schemas } from '../api/client.ts';

type Settings = Schemas['NotificationSettings'];

/** By which ways a page tells of something. */
type Ways = { sound: boolean; desktop: boolean };

/** Which of a user's kinds of conversations one is; none for one of the bot. */
const scopesOf = ({ owner, assigned_to: agent }: Schemas['Conversation'], userId: string): readonly Scope[] =>
  scopes.filter((scope) =>
    scope === 'all' ? owner !== 'bot' : scope === 'mine' ? agent === userId : owner === 'waiting',
  );

/** Whether a page tells the user of a kind of conversations at all. */
export const isWanted = ({ sound, desktop }: Ways): boolean => sound || desktop;

/** Whether a conversation counts for the user: agents have it, the user hears of its kind, and its contact has written. */
export const counts = (conversation: Schemas['Conversation'], settings: Settings, userId: string): boolean =>
  conversation.unread > 0 && scopesOf(conversation, userId).some((scope) => isWanted(settings[scope]));

/** By which ways to tell of a conversation now: by none in quiet hours. */
export const waysFor = (
  conversation: Schemas['Conversation'],
  settings: Settings,
  { userId, now }: { userId: string; now: Date },
): Ways => {
  const chosen = scopesOf(conversation, userId).map((scope) => settings[scope]);
  const isLoud = settings.quiet_hours === null || quietMinutesLeft(settings.quiet_hours, now) === 0;
  return {
    sound: isLoud && chosen.some(({ sound }) => sound),
    desktop: isLoud && chosen.some(({ desktop }) => desktop),
  };
};
