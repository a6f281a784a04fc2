import { z } from 'zod';
import { asStored, codec, id, time, type RowOf } from '../../codec.ts';
import { channelConfig, channelDeclarations, channelTypes, shownConfig } from './declarations.ts';
import { warnings } from '../../warnings.ts';

/** The most channels of an account. They stay for good, because messages are on them. */
export const channelsPerAccount = 200;

const type = z.enum(channelTypes).meta({
  description: channelTypes.map((name) => `${name}: ${channelDeclarations[name].summary}.`).join(' '),
});

export const newChannel = z
  .strictObject({ type, name: z.string().min(1).max(200), ...channelConfig.shape })
  .meta({ id: 'NewChannel', example: { type: 'api', name: 'Shop', callback_url: 'https://example.com/to-visitors' } });

/** What a channel of any kind has that can be changed. */
export const channelFields = newChannel.omit({ type: true });

export const channelChanges = channelFields
  .partial()
  .meta({ id: 'ChannelChanges', example: { callback_url: 'https://example.com/to-visitors' } });

export type ChannelConfig = z.infer<typeof channelConfig>;
export type NewChannel = z.infer<typeof newChannel>;
export type ChannelChanges = z.infer<typeof channelChanges>;

const channel = codec({
  id: id('channel'),
  type: asStored(z.string()),
  name: asStored(z.string()),
  ...shownConfig,
  created_at: time(),
});

export const channelBody = channel.body.meta({ id: 'Channel' });

/** A channel as it is stored, without its secret; `id` is its UUID. */
export type ChannelRow = RowOf<typeof channel>;

/** A channel as the API shows it. */
export const showChannel = channel.show;

/** The same in the one answer that shows a secret that was made. */
export const channelWithSecretBody = channel.body
  .extend({
    secret: z.string().optional().meta({ description: 'The secret that was made, shown in this answer only.' }),
    warnings,
  })
  .meta({ id: 'ChannelWithSecret' });

export const channelSecretBody = z
  .object({ secret: z.string() })
  .meta({ id: 'ChannelSecret', description: 'What signs the messages that go out. It is shown in this answer only.' });
