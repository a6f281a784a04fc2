import { z } from 'zod';

/**
 * A form's values, checked as the body that `read` makes of them. A problem is told at the field of its first name; `fieldOf` says which field
 * that is where the body has other names than the form.
 */
export const checkedAs = <Values>(
  body: z.ZodType,
  read: (values: Values) => unknown,
  fieldOf: (path: readonly PropertyKey[]) => string = ([name]) => String(name),
) =>
  z.custom<Values>().superRefine((values, ctx) => {
    for (const { path, message } of body.safeParse(read(values)).error?.issues ?? [])
      ctx.addIssue({ code: 'custom', path: [fieldOf(path)], message });
  });
