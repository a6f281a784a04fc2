import { useBuilder } from '../builder/builder-context.ts';
import { sayValue, titleOf } from './say.ts';
import type { Entry, Simulation } from './transcript.ts';
import { words } from './words.ts';

type Change = Simulation['changes'][number];

/** The values that a block has set, small between the messages. The bubble tells the latest answer. */
export const ChangesEntry = ({ entry }: { entry: Extract<Entry, { type: 'changes' }> }) => {
  const { definition, open } = useBuilder();
  const told = entry.changes.filter(({ type }) => type !== 'reply');
  if (told.length === 0) return null;
  return (
    <li className="phone-entry" data-by="flow">
      <button
        type="button"
        className="phone-chip"
        title={words.openBlock(titleOf(definition, entry.blockId))}
        onClick={() => open(entry.blockId)}
      >
        {told.map((change) => sayChange(change)).join(' · ')}
      </button>
    </li>
  );
};

/** "size = M", "tag “vip” added". */
export const sayChange = ({ type, name, value }: Pick<Change, 'type' | 'name' | 'value'>): string => {
  if (type === 'tag') return value === true ? words.changed.tagged(name) : words.changed.untagged(name);
  if (value === null) return `${name} ${words.changed.cleared}`;
  return `${name} = ${sayValue(value)}`;
};
