import { Text } from '@mantine/core';
import type { Schemas } from '../../../api/client.ts';
import { commonWords } from '../../../words/common.ts';
import { words as all } from '../words.ts';

const words = all.composer;

type Props = {
  id: string;
  offered: readonly Schemas['CannedReply'][];
  chosen: number;
  isSearching: boolean;
  choose: (reply: Schemas['CannedReply']) => void;
};

/** The id of an offered reply, which the text names as chosen. */
export const optionId = (id: string, place: number): string => `${id}-${place}`;

/** Canned replies above the text into which one is inserted. The text keeps the focus. */
export const CannedList = ({ id, offered, chosen, isSearching, choose }: Props) =>
  offered.length === 0 ? (
    <div className="canned" role="status">
      <Text size="sm" c="dimmed" p="xs">
        {isSearching ? commonWords.loading : words.noCanned}
      </Text>
    </div>
  ) : (
    <div className="canned" role="listbox" id={id} aria-label={words.canned}>
      {offered.map((reply, place) => (
        <button
          key={reply.id}
          type="button"
          id={optionId(id, place)}
          role="option"
          aria-selected={place === chosen}
          tabIndex={-1}
          // The press would take the focus from the text.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(reply)}
        >
          <strong>/{reply.shortcut}</strong> <span>{reply.text}</span>
        </button>
      ))}
    </div>
  );
