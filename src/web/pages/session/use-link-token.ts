import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Mails have the token alone behind the #; the link of the first start names it. */
const readToken = (hash: string): string => hash.replace(/^#(token=)?/, '');

/**
 * The token of the link that led here; empty for none. It is taken out of the address, so that it stays neither in the history nor in what somebody
 * copies.
 */
export const useLinkToken = (): string => {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState('');
  const given = readToken(hash);
  // Another link may be opened while the page of the one before is shown.
  if (given !== '' && given !== token) setToken(given);
  useEffect(() => {
    if (hash !== '') void navigate({ pathname, search }, { replace: true });
  }, [hash, pathname, search, navigate]);
  return token;
};
