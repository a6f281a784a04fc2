import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '../api/session.ts';
import { Failure } from '../parts/failure.tsx';
import { SessionContext } from './session-context.ts';
import { Beginning } from './skeleton.tsx';

/** Shows its pages to who is signed in, and leads everybody else to sign in first and then back. */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const { session, error, retry } = useSession();
  const { pathname, search } = useLocation();
  if (session) return <SessionContext value={session}>{children}</SessionContext>;
  if (error) return <Failure error={error} retry={retry} />;
  if (session === undefined) return <Beginning />;
  const next = `${pathname}${search}`;
  return <Navigate to={next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`} replace />;
};
