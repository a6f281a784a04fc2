import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconMessages } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, type Schemas } from '../api/client.ts';
import { Avatar } from '../parts/avatar.tsx';
import { sayContact } from '../parts/contact-link.tsx';
import { linkOfConversation } from '../parts/link-of-conversation.ts';
import { useList } from '../parts/use-list.ts';
import { commonWords } from '../words/common.ts';
import { navWords } from '../words/nav.ts';
import { navLines } from './nav-lines.ts';
import { useSignedIn } from './session-context.ts';
import { words } from './words.ts';

/** Goes to a page by its name, to a contact, or to the conversation with it: Ctrl+K, or ⌘K. */
export const FindAnything = () => {
  const [typed, setTyped] = useState('');
  // Somebody has asked for it by then.
  useEffect(() => spotlight.open(), []);
  const contacts = useFoundContacts(typed.trim());
  const talks = useTalksWith(contacts.found, typed.trim());
  const ofPages = usePageActions();
  return (
    <Spotlight
      actions={[...ofPages, ...contacts.actions, ...talks]}
      query={typed}
      onQueryChange={setTyped}
      highlightQuery
      attributes={{ content: { 'aria-label': words.find } }}
      nothingFound={contacts.isSearching ? commonWords.loading : words.nothingFound}
      // An id of ours: it would lose its own where the list comes again after it was empty, and with it the arrow keys.
      scrollAreaProps={{ id: listId }}
      searchProps={{
        type: 'search',
        placeholder: words.findPlaceholder,
        'aria-label': words.find,
        maxLength: longest,
        onKeyDown: ({ key }) => {
          if (key === 'Enter' && typed !== '') openFirst();
        },
      }}
    />
  );
};

const listId = 'found';

/** What is found later than something is typed is not chosen by itself. */
const openFirst = (): void => {
  if (document.querySelector(`#${listId} [data-selected]`)) return;
  document.querySelector<HTMLElement>(`#${listId} [data-action]`)?.click();
};

const usePageActions = (): SpotlightActionData[] => {
  const session = useSignedIn();
  const navigate = useNavigate();
  return navLines(session).map(({ to, words: line, section, icon: Shown, isDocument }) => ({
    id: to,
    label: navWords.pages[line],
    description: navWords.sections[section],
    onClick: () => (isDocument ? location.assign(to) : void navigate(to)),
    leftSection: <Shown size={20} stroke={1.6} aria-hidden />,
  }));
};

/** The most characters that contacts are searched for by, and the fewest: one letter finds too many. */
const longest = 100;
const shortest = 2;

/** The most contacts that are shown. */
const shownAtMost = 5;

/** Contacts whose name, e-mail or phone begins with what was typed. */
const useFoundContacts = (
  typed: string,
): { found: readonly Schemas['Contact'][]; actions: SpotlightActionData[]; isSearching: boolean } => {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(typed, 250);
  const isEnabled = search.length >= shortest;
  const { rows } = useList('/contacts', { query: { search }, limit: shownAtMost, isEnabled });
  const actions = (rows ?? []).map((contact) => ({
    id: contact.id,
    label: sayContact(contact),
    description: contact.email ?? contact.phone ?? '',
    // The server has found it by this.
    keywords: search,
    onClick: () => void navigate(`/contacts/${contact.id}`),
    leftSection: <Avatar id={contact.id} name={sayContact(contact)} size={28} />,
  }));
  return {
    found: isEnabled ? (rows ?? []) : [],
    actions: isEnabled ? actions : [],
    isSearching: typed.length >= shortest && (typed !== search || rows === undefined),
  };
};

/** The latest conversation with each of these contacts that has one. */
const useTalksWith = (contacts: readonly Schemas['Contact'][], keywords: string): SpotlightActionData[] => {
  const navigate = useNavigate();
  const asked = useQueries({
    queries: contacts.map(({ id }) =>
      api.queryOptions('get', '/conversations', {
        params: { query: { contact_id: id, order: 'latest_message', limit: 1 } },
      }),
    ),
  });
  return contacts.flatMap((contact, place) =>
    (asked[place]?.data?.data ?? []).map((conversation) => ({
      id: conversation.id,
      label: words.talkWith(sayContact(contact)),
      description: conversation.last_message?.text ?? '',
      keywords,
      onClick: () => void navigate(linkOfConversation(conversation)),
      leftSection: <IconMessages size={20} stroke={1.6} aria-hidden />,
    })),
  );
};
