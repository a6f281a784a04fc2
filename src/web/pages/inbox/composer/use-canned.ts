import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { useList } from '../../../parts/use-list.ts';
import { findSlash, insertAt, type Slash } from './slash.ts';

/** The most canned replies that are offered. */
const offeredAtMost = 8;

/** How long somebody may think between two letters before they are looked for, in ms. */
const pauseMs = 150;

type Options = {
  contactId: string;
  text: string;
  /** Whether none are offered. */
  isOff: boolean;
  /** Puts a text into the composer, with the cursor at a place. */
  put: (next: { text: string; cursor: number }) => void;
};

/** The canned replies that are offered while a shortcut is typed, and the keys that choose one: it is inserted with what is known of the contact. */
export const useCanned = ({ contactId, text, isOff, put }: Options) => {
  const [cursor, setCursor] = useState<number>();
  const [dismissed, setDismissed] = useState<number>();
  const [place, setPlace] = useState(0);
  /** The shortcut for which a key has chosen before its canned replies were there. */
  const awaited = useRef<string>(undefined);
  const slash: Slash | undefined = cursor === undefined || isOff ? undefined : findSlash(text, cursor);
  const isOpen = slash !== undefined && slash.start !== dismissed;
  // Another shortcut may begin at the same place.
  if (slash === undefined && dismissed !== undefined) setDismissed(undefined);
  const [search] = useDebouncedValue(slash?.typed ?? '', pauseMs);
  const { rows, error } = useList('/canned-replies', {
    ...(search !== '' && { query: { search } }),
    limit: offeredAtMost,
    isEnabled: isOpen,
  });
  const isHere = search === slash?.typed && (rows !== undefined || error !== null || !navigator.onLine);
  const offered: readonly Schemas['CannedReply'][] = isOpen ? (rows ?? []) : [];
  const chosen = Math.min(place, Math.max(offered.length - 1, 0));

  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  const insert = async ({ id }: Schemas['CannedReply']): Promise<void> => {
    if (!slash) return;
    const { data } = await client.POST('/canned-replies/{id}/render', {
      params: { path: { id } },
      body: { contact_id: contactId },
    });
    setCursor(undefined);
    setPlace(0);
    // Somebody may have typed on meanwhile.
    if (data) put(insertAt(latest.current, slash, data.text));
  };
  const choose = (reply: Schemas['CannedReply']): void => void insert(reply).catch(showFailure);
  useEffect(() => {
    const isAwaited = isOpen && slash.typed === awaited.current;
    if (isAwaited && !isHere) return;
    awaited.current = undefined;
    if (!isAwaited) return;
    const reply = offered[chosen];
    // The key was pressed before the list had come.
    // oxlint-disable-next-line react/set-state-in-effect
    if (reply) choose(reply);
    // There is none: Enter breaks the line after all.
    else put(insertAt(latest.current, slash, `/${slash.typed}\n`));
  });

  /** Whether the key was one for the canned replies. */
  const press = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'Escape') setDismissed(slash.start);
    else if (event.key === 'Enter' && !isHere) {
      // The whole shortcut is nobody else's, however many more begin so.
      const typed = offered.find(({ shortcut }) => shortcut === slash.typed);
      if (typed) choose(typed);
      else awaited.current = slash.typed;
    } else if (offered.length === 0) return false;
    else if (event.key === 'ArrowDown') setPlace((chosen + 1) % offered.length);
    else if (event.key === 'ArrowUp') setPlace((chosen + offered.length - 1) % offered.length);
    else if (isHere && (event.key === 'Enter' || event.key === 'Tab')) {
      const reply = offered[chosen];
      if (reply) choose(reply);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { isOpen, offered, isSearching: rows === undefined, chosen, choose, press, noteCursor: setCursor };
};
