import { Alert, Checkbox, Stack, TextInput } from '@mantine/core';
import type { ExposedText } from '../../../../shared/flows/curl/exposed.ts';
import { words } from './words.ts';

type Props = {
  exposed: readonly ExposedText[];
  /** The placeholder that stands for each text, where one does. */
  placeholders: ReadonlyMap<string, string>;
  change: (placeholders: ReadonlyMap<string, string>) => void;
};

/** As much of a text as tells which one it is. */
const beginning = (text: string): string => (text.length > 12 ? `${text.slice(0, 8)}…` : text);

/** Texts of a url that may be secrets: each can become a placeholder. */
export const ExposedTexts = ({ exposed, placeholders, change }: Props) => {
  if (exposed.length === 0) return null;
  const put = (text: string, name: string | undefined): void => {
    const next = new Map(placeholders);
    if (name === undefined) next.delete(text);
    else next.set(text, name);
    change(next);
  };
  return (
    <Alert color="orange" title={words.curl.exposed}>
      <Stack gap="xs">
        {exposed.map(({ text, name }) => {
          const placeholder = placeholders.get(text);
          return (
            <Stack key={text} gap={4}>
              <Checkbox
                label={words.curl.expose(beginning(text))}
                checked={placeholder !== undefined}
                onChange={({ currentTarget }) => put(text, currentTarget.checked ? name : undefined)}
              />
              {placeholder !== undefined && (
                <TextInput
                  size="xs"
                  label={words.curl.placeholderFor(beginning(text))}
                  value={placeholder}
                  onChange={({ currentTarget }) => put(text, currentTarget.value)}
                />
              )}
            </Stack>
          );
        })}
      </Stack>
    </Alert>
  );
};
