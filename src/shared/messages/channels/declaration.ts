import { z } from 'zod';
import type { ChannelLimits } from '../../flows/blocks/message-limits.ts';

/** What a kind of channel says of itself. It is pure, because the API, its document and the pages are made of it. */
export type ChannelDeclaration = {
  /** How messages come in and go out. */
  summary: string;
  /** What a channel of this kind is set up with. A field with `writeOnly` in its meta is sealed, and never shown. */
  config: z.ZodObject<Readonly<Record<string, z.ZodType>>>;
  /** What the service says of the account that a channel is connected with: it is shown beside the config, and never given. */
  told?: z.ZodObject<Readonly<Record<string, z.ZodType>>>;
  limits: ChannelLimits;
  /** Whether contacts fetch their messages themselves: what is queued is sent with its commit. */
  fetched?: true;
};

/** The names of the fields of a config: those that are sealed, and those that are shown. */
export const splitConfig = ({ config }: ChannelDeclaration): { sealed: string[]; shown: string[] } => {
  const fields = Object.entries(config.shape);
  const isSealed = (field: z.ZodType): boolean => withoutOptional(field).meta()?.['writeOnly'] === true;
  return {
    sealed: fields.flatMap(([name, field]) => (isSealed(field) ? [name] : [])),
    shown: fields.flatMap(([name, field]) => (isSealed(field) ? [] : [name])),
  };
};

/** The names of the fields that answers have of a channel beside its name. */
export const shownFields = (declaration: ChannelDeclaration): string[] => [
  ...splitConfig(declaration).shown,
  ...Object.keys(declaration.told?.shape ?? {}),
];

/** The fields of a config that are shown, as answers have them: null where none is set. */
export const shownConfig = (declaration: ChannelDeclaration): Record<string, z.ZodType> =>
  Object.fromEntries(
    shownFields(declaration).map((name) => {
      const field = declaration.config.shape[name] ?? declaration.told?.shape[name] ?? z.unknown();
      const inner = withoutOptional(field);
      return [name, field === inner || inner instanceof z.ZodNullable ? inner : inner.nullable()];
    }),
  );

/** A field of a config as its kind has written it, where it need not be given. */
const withoutOptional = (field: z.ZodType): z.ZodType => {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner instanceof z.ZodType ? inner : field;
};
