import './inbox.css';
import { useDisclosure, useDocumentTitle, useLocalStorage } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { sendKept } from './composer/outgoing.ts';
import { KeySheet } from './keys/sheet.tsx';
import { moveInList, useKeys } from './keys/use-keys.ts';
import { ConversationList } from './list/list.tsx';
import { focusSearch } from './list/search.tsx';
import { OpenConversation } from './open-conversation.tsx';
import { words } from './words.ts';

/** The inbox: conversations in views, the one that is open, and whom it is with. */
export const Page = () => {
  const { id } = useParams();
  const { user } = useSignedIn();
  useEffect(() => sendKept(user.id), [user.id]);
  const [isSheetOpen, sheet] = useDisclosure();
  const [hasKeys, setKeys] = useLocalStorage({ key: 'parley-inbox-keys', defaultValue: true });
  useKeys({ j: () => moveInList(1), k: () => moveInList(-1), f: focusSearch, '?': sheet.open }, hasKeys);
  return (
    <div className="page page-fill inbox" data-shows={id === undefined ? 'list' : 'thread'}>
      <ConversationList openedId={id} showKeys={sheet.open} />
      {id === undefined ? <NothingOpen /> : <OpenConversation key={id} id={id} hasKeys={hasKeys} />}
      {isSheetOpen && <KeySheet isOn={hasKeys} setOn={setKeys} close={sheet.close} />}
    </div>
  );
};

const NothingOpen = () => {
  useDocumentTitle(`${words.title} · Parley`);
  return (
    <section className="inbox-thread inbox-nothing">
      <Empty icon={IconMessages} title={words.choose}>
        {words.chooseHint}
      </Empty>
    </section>
  );
};
