import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The message that the address names, and by which visit of it: the same address may be gone to again. */
export type Anchor = { id: string | undefined; visit: string };

const readMessage = (hash: string): string | undefined => /^#(msg_[0-7][0-9a-hj-km-np-tv-z]{25})$/.exec(hash)?.[1];

/** The message around which the thread is read. It stays while the address changes otherwise, as by a search; `leave` goes to the newest. */
export const useAnchor = (): Anchor & { leave: () => void } => {
  const { pathname, search, hash, key } = useLocation();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<Anchor>({ id: undefined, visit: '' });
  const asked = readMessage(hash);
  if (asked !== undefined && anchor.visit !== key) setAnchor({ id: asked, visit: key });
  const leave = (): void => {
    setAnchor({ id: undefined, visit: key });
    void navigate(pathname + search, { replace: true });
  };
  return { ...anchor, leave };
};
