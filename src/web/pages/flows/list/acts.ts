import { startId } from '../builder/builder-context.ts';
import type { Acting } from '../builder/acting-context.ts';
import type { Option } from '../canvas/chooser.tsx';
import type { useMenus } from '../canvas/use-menus.tsx';
import { isId } from '../edits/refs.ts';
import { words } from './words.ts';

const all = [
  'open',
  'addAfter',
  'addBefore',
  'connect',
  'up',
  'down',
  'rename',
  'duplicate',
  'tryFrom',
  'begin',
  'remove',
] as const;

type Act = (typeof all)[number];

type Deps = {
  acting: Acting;
  menus: () => ReturnType<typeof useMenus>;
  /** Has a block show a field for its name. */
  startRename: (ref: string) => void;
};

const keysOf: Readonly<Partial<Record<Act, string>>> = {
  open: 'Enter',
  addAfter: 'A',
  addBefore: 'B',
  connect: 'C',
  up: 'Alt + ↑',
  down: 'Alt + ↓',
  rename: 'F2',
  duplicate: 'Ctrl + D',
  remove: 'Delete',
};

/** What can be done with the start, and with a block that nothing can lead to. */
const ofStart: readonly Act[] = ['open', 'addAfter', 'connect'];
const withoutId: readonly Act[] = ['open', 'addAfter', 'connect', 'up', 'down', 'rename', 'remove'];

/** What can be done with a block of the list. */
export const optionsOf = (ref: string): Option[] => {
  const can = ref === startId ? ofStart : isId(ref) ? all : withoutId;
  return can.map((act) => ({ value: act, label: words.acts[act], hint: keysOf[act] }));
};

/** What is done with a block of the list, by its menu and by keys. */
export const createActs = ({
  acting: { now, actions },
  menus,
  startRename,
}: Deps): Readonly<Record<Act, (ref: string) => void>> => ({
  open: (ref) => now().builder.open(ref),
  addAfter: (ref) => menus().addAfter(ref),
  addBefore: (ref) => menus().addBefore(ref),
  connect: (ref) => menus().connectFrom(ref),
  up: (ref) => actions.shift(ref, -1),
  down: (ref) => actions.shift(ref, 1),
  rename: startRename,
  duplicate: (ref) => actions.duplicate([ref]),
  tryFrom: (ref) => now().builder.simulateFrom(ref),
  begin: (ref) => actions.wire({ from: undefined, port: '' }, ref),
  remove: (ref) => actions.remove([ref]),
});

/** An act of the menu; undefined for another value. */
export const findAct = (value: string): Act | undefined => all.find((act) => act === value);

export type Acts = ReturnType<typeof createActs>;
