import { z } from 'zod';
import { messageLimits } from '../../../flows/blocks/message-limits.ts';
import type { ChannelDeclaration } from '../declaration.ts';
import { officeHoursSchema } from './office-hours.ts';
import { asOrigin, isSiteOrigin, originsPerChannel } from './origins.ts';
import { textsSchema } from './texts.ts';

const origin = z
  .string()
  .max(300)
  .overwrite(asOrigin)
  .refine(isSiteOrigin, { message: 'must be an https origin such as https://shop.example' });

/** A chat on the pages of the account's own sites. */
export const webchatDeclaration = {
  summary: 'visitors of your sites write in a widget, which also shows what is sent to them',
  fetched: true,
  config: z
    .object({
      origins: z
        .array(origin)
        .max(originsPerChannel)
        .meta({ description: 'The sites that may show the widget. Its demo page may always.' }),
      title: z
        .string()
        .max(80)
        .nullable()
        .meta({ description: "The head of the widget; null for the channel's name." }),
      greeting: z.string().max(1_000).nullable().meta({ description: 'Shown before the first message.' }),
      color: z
        .string()
        .max(7)
        .regex(/^#[0-9a-f]{6}$/i, { message: 'must be a color such as #0b7285' })
        .meta({ description: 'The color of the button and of the head.' }),
      position: z.enum(['right', 'left']).meta({ description: 'The lower corner of the page.' }),
      texts: textsSchema,
      office_hours: officeHoursSchema.nullable(),
      require_identity: z
        .boolean()
        .meta({ description: 'Whether only visitors whom your server has identified may write.' }),
      mail_after_minutes: z
        .int()
        .min(1)
        .max(24 * 60)
        .nullable()
        .meta({
          description:
            'A mail to a visitor who is away so long after an agent has answered, if your server vouches for the address; null: no mail.',
        }),
    })
    .partial(),
  limits: messageLimits,
} satisfies ChannelDeclaration;
