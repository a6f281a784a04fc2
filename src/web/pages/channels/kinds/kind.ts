import type { UseFormReturnType } from '@mantine/form';
import type { FunctionComponent } from 'react';
import type { z } from 'zod';
import type { Schemas } from '../../../api/client.ts';

/** What the form holds of a channel by the names of its fields: texts, switches, and what a kind's own part of the form reads. */
export type Written = { name: string } & Record<string, unknown>;

export type FieldsProps = { form: UseFormReturnType<Written>; isNew: boolean };

/** How pages show and change channels of a kind. */
export type KindOfChannel = {
  title: string;
  hint: string;
  /** What a secret of such a channel is for, where Parley makes one. */
  secretHint?: string;
  rotateText?: string;
  /** The API's schema of a channel. */
  schema: z.ZodType;
  /** What the form begins with; of a new channel when none is given. */
  write: (channel: Schemas['Channel'] | undefined) => Omit<Written, 'name'>;
  /** The fields of the body, but for the name. */
  read: (written: Written) => Schemas['ChannelChanges'];
  Fields: FunctionComponent<FieldsProps>;
  /** What fields are called where the API warns of them. */
  names: Readonly<Record<string, string>>;
  /** Where messages go or come from, in a list and on the page. */
  lead: (channel: Schemas['Channel']) => readonly [name: string, value: string];
  /** What its page shows below the facts. */
  Parts: FunctionComponent<{ channel: Schemas['Channel'] }>;
};
