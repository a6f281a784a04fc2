import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Mails have the token alone behind the #; the link of the first start names it. */
const readToken = (hash: string): string => hash.replace(/^#(token=)?/, '');

/** `token` is empty for none. `opened` counts the links that were opened on this page, the same one again included. */
type OpenedLink = { token: string; opened: number };

/**
 * The token of the link that led here. It is taken out of the address, so that it stays neither in the history nor in what somebody copies. A page
 * begins anew with `opened` as its key: what became of the link before is no answer to this one.
 */
export const useLinkToken = (): OpenedLink => {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [{ seen, ...link }, setLink] = useState({ token: '', opened: 0, seen: '' });
  const given = readToken(hash);
  // Another link, or the same one, may be opened while the page is shown.
  if (hash !== seen) setLink({ ...(given === '' ? link : { token: given, opened: link.opened + 1 }), seen: hash });
  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search }, { replace: true });
  }, [hash, pathname, search, navigate]);
  return link;
};
