import { Loader, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useBuilder } from '../builder/builder-context.ts';
import { Composer } from './composer.tsx';
import { EntryOfChat } from './entry.tsx';
import { Problems } from './problems.tsx';
import { titleOf } from './say.ts';
import type { Entry } from './transcript.ts';
import type { PhoneState } from './use-phone.ts';
import { WaitBar } from './wait-bar.tsx';
import { words } from './words.ts';

/** The conversation, with what comes next at its end. */
export const Chat = ({ phone }: { phone: PhoneState }) => {
  const { entries, failure, isPlaying, again, parting, simulation, send, composer } = phone;
  const scrolled = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: box } = scrolled;
    if (!box || entries.length === 0) return undefined;
    // What stands below or above may take room later.
    const observer = new ResizeObserver(() => {
      box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    box.scrollTop = box.scrollHeight;
    return () => observer.disconnect();
  }, [entries]);
  const say = (text: string): void => {
    send({ text });
    composer.current?.focus();
  };
  const lastSaid = entries.findLastIndex(({ type }) => type === 'says' || type === 'input');
  return (
    <>
      <div
        className="phone-scroll phone-chat"
        ref={scrolled}
        role="region"
        aria-label={words.conversation}
        tabIndex={0}
      >
        {failure ? <Problems failure={failure} retry={again} /> : null}
        {entries.length === 0 && !failure && (
          <Text size="sm" c="dimmed" ta="center" py="md">
            {isPlaying || !simulation ? words.playing : words.begin}
          </Text>
        )}
        <ol className="phone-entries" aria-live="polite" aria-relevant="additions">
          {entries.map((entry, index) => (
            <EntryOfChat
              key={keyOf(entry, index)}
              entry={entry}
              phone={phone}
              differs={parting?.index === index}
              // Of an earlier message they would answer a later question.
              answer={index === lastSaid ? say : undefined}
            />
          ))}
        </ol>
      </div>
      <div className="phone-foot">
        <PartingNotice phone={phone} />
        <div className="phone-wait">
          <WaitBar phone={phone} />
          {isPlaying && <Loader size="xs" aria-label={words.playing} />}
        </div>
        <Composer phone={phone} say={say} />
      </div>
    </>
  );
};

/** What stays itself while others come after it. */
const keyOf = (entry: Entry, index: number): string =>
  entry.type === 'input' ? `input ${entry.index}` : `${entry.type} ${index}`;

const PartingNotice = ({ phone: { parting, entries, simulation } }: { phone: PhoneState }) => {
  const { definition } = useBuilder();
  const say = (): string | undefined => {
    if (!parting) return undefined;
    if (parting.index === undefined) return words.same;
    const entry = entries[parting.index] ?? entries.at(-1);
    const blockId = entry && 'blockId' in entry ? entry.blockId : (simulation?.block_id ?? '');
    return words.differs(titleOf(definition, blockId));
  };
  return (
    <Text size="xs" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
      {say()}
    </Text>
  );
};
