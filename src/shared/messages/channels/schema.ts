import { z } from 'zod';
import { asStored, codec, id, time, type RowOf } from '../../codec.ts';
import type { Json } from '../../platform/json/json.ts';
import { warnings } from '../../warnings.ts';
import { shownConfig, shownFields, splitConfig, type ChannelDeclaration } from './declaration.ts';
import type { ChannelConfig } from './kind.ts';

/** The most channels of an account. */
export const channelsPerAccount = 200;

const name = z.string().min(1).max(200);

/** What a caller gives of a channel of a kind. */
export const channelFields = ({ config }: ChannelDeclaration) => z.strictObject({ name, ...config.shape });

const base = codec({
  id: id('channel'),
  type: asStored(z.string()),
  name: asStored(z.string()),
  created_at: time(),
});

/** A channel as it is stored, without its secrets; `id` is its UUID. */
export type ChannelRow = RowOf<typeof base> & { config: { readonly [name: string]: Json } };

export type NewChannel = { type: string; name: string } & ChannelConfig;
export type ChannelChanges = { name?: string | undefined } & ChannelConfig;

/** A channel as the API shows it. */
export type ShownChannel = z.output<typeof base.body> & { readonly [name: string]: unknown };

export const channelSecretBody = z.object({ secret: z.string() }).meta({
  id: 'ChannelSecret',
  description:
    'The secret that signs outgoing messages, or, of type webchat, proves who visitors are. Only this answer shows it.',
});

const madeSecret = z.string().optional().meta({ description: 'The secret that was made, shown in this answer only.' });

const example = { callback_url: 'https://example.com/to-visitors' };

/** The schemas of channels of these kinds, and how one is shown. A name of a field means the same in every kind. */
export const createChannelSchemas = (kindsByType: Readonly<Record<string, { declaration: ChannelDeclaration }>>) => {
  const kinds = Object.entries(kindsByType);
  const bodyOf = (name: string, more: Record<string, z.ZodType> = {}): z.ZodType<ShownChannel> =>
    oneOf(
      kinds.map(([type, { declaration }]) =>
        z
          .object({
            ...shownConfig(declaration),
            ...more,
            ...base.body.shape,
            type: kinds.length > 1 ? z.enum([type]) : z.string(),
          })
          .meta({ id: `${capitalised(type)}${name}` }),
      ),
    ).meta({ id: name });
  const newChannel: z.ZodType<NewChannel> = oneOf(
    kinds.map(([type, { declaration }]) =>
      channelFields(declaration)
        .extend({ type: z.enum([type]).meta({ description: `${type}: ${declaration.summary}.` }) })
        .meta({ id: `New${capitalised(type)}Channel` }),
    ),
  );
  const changes = Object.assign({}, ...kinds.map(([, { declaration }]) => declaration.config.shape));
  const channelChanges: z.ZodType<ChannelChanges> = z.strictObject({ name, ...changes }).partial();
  return {
    newChannel: newChannel.meta({ id: 'NewChannel', example: { type: 'api', name: 'Shop', ...example } }),
    channelChanges: channelChanges.meta({ id: 'ChannelChanges', example }),
    channelBody: bodyOf('Channel'),
    channelWithSecretBody: bodyOf('ChannelWithSecret', { secret: madeSecret, warnings }),
    /** What users type, and may type otherwise than they mean. */
    entered: {
      urls: kinds.flatMap(([, { declaration }]) => splitConfig(declaration).shown),
      secrets: kinds.flatMap(([, { declaration }]) => splitConfig(declaration).sealed),
    },
    /** Shows a channel; `show` changes what is shown of its config. */
    showChannel: (row: ChannelRow, show = (value: Json): Json => value): ShownChannel => {
      const { created_at, ...shown } = base.show(row);
      const declaration = kindsByType[row.type]?.declaration;
      const fields = declaration ? shownFields(declaration) : [];
      const config = Object.fromEntries(fields.map((field) => [field, show(row.config[field] ?? null)]));
      return { ...shown, ...config, created_at };
    },
  };
};

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** One of these schemas: the one that has the type. */
const oneOf = <Output extends Record<string, unknown>>([first, ...others]: (z.ZodObject &
  z.ZodType<Output>)[]): z.ZodType<Output> => {
  if (!first) throw new TypeError('there is no kind of channel');
  return others.length === 0 ? first : z.discriminatedUnion('type', [first, ...others]);
};
