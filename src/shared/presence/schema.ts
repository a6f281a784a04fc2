import { z } from 'zod';
import { exampleId } from '../ids.ts';

/** What pages call themselves, so that two tabs of a browser are told apart. */
export const tabName = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9_-]{6,40}$/)
  .meta({ description: 'A random text of the tab itself.', example: 'Vq3kX0aT9dLm' });

/** A part of a subject, such as the id of a block. */
const partName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_.-]{1,64}$/)
  .meta({ example: 'ask_size' });

export const presenceBeat = z.strictObject({
  part: partName.nullable().meta({ description: 'What is being edited: in a flow, the id of a block.' }),
});

/** Who is at a subject now, as pages there are told. */
export const presenceBody = z
  .object({
    subject: z.string().meta({ example: exampleId('flow') }),
    people: z
      .array(
        z.object({ user_id: z.string().meta({ example: exampleId('user') }), tab: tabName, part: partName.nullable() }),
      )
      .meta({ description: 'One for each tab, the one that came first on top.' }),
  })
  .meta({ id: 'Presence', description: 'Who is at a subject, and what they edit.' });

export type PresenceBody = z.infer<typeof presenceBody>;
