// Parts of pages: title, sections, data while it loads, failures.
import {
  Alert,
  Box,
  Button,
  type ButtonProps,
  Container,
  Group,
  Image,
  Paper,
  type PaperProps,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  type Ref,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { ApiFailure, isOutage } from '../../api/index.ts';
import icon from '../../icon.svg';
import { useSentences } from '../forms/sentences.ts';
import classes from './page.module.css';

/** The most that a page is wide, in pixels. Longer lines and tables are hard to read. */
const WIDTH = 1280;

/** True inside of the frame with the menu. */
export const InFrame = createContext(false);

/**
 * False until a page was drawn after the start. A reload and an address with a hash lead to a place on the page, which must
 * be there when the router goes to it.
 */
let isWhole =
  location.hash !== '' ||
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type !== 'navigate');

/**
 * A page with its title, also in the title of the tab, and its actions. The first page is drawn in two steps, its title
 * and the menu before the rest: a slow phone needs a second for all of it.
 */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useTitle(title);
  const isShown = useDeferredValue(true, isWhole);
  useEffect(() => {
    isWhole = true;
  }, []);
  return (
    <Stack gap="lg" maw={WIDTH} mx="auto">
      <Group justify="space-between">
        <Title order={1} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }} miw={0}>
          {title}
        </Title>
        {actions && isShown && (
          <Group gap="xs" className={classes.actions!}>
            {actions}
          </Group>
        )}
      </Group>
      {isShown ? children : <Waiting rows={12} />}
    </Stack>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Landfall`;
  }, [title]);
}

interface SectionProps extends PaperProps {
  title: string;
  ref?: Ref<HTMLElement>;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, actions, children, ...rest }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} {...rest}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

/** A page before sign-in, or instead of one that is not there: one card. It grows downwards while it loads, so that nothing moves. */
export function OutsidePage({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  useTitle(title);
  const isInFrame = useContext(InFrame);
  return (
    <Box component={isInFrame ? 'div' : 'main'}>
      <Container size={520} px="md" pt={isInFrame ? 'md' : '12vh'} pb="md">
        {!isInFrame && (
          <Group gap="xs" mb="md">
            <Image src={icon} w={28} h={28} alt="" />
            <Text size="md" fw={600}>
              Landfall
            </Text>
          </Group>
        )}
        <Paper withBorder p="lg" radius="md">
          <Stack>
            <Title order={1} size="h3" tabIndex={-1} style={{ outline: 'none' }}>
              {title}
            </Title>
            {intro && <Text size="md">{intro}</Text>}
            {children}
          </Stack>
        </Paper>
      </Container>
    </Box>
  );
}

export function NotAllowed({ title, needs }: { title: string; needs: 'member' | 'admin' | 'owner' }) {
  const t = useTranslations('notAllowed');
  return (
    <Page title={title}>
      <Text size="md">{t('text', { role: t(`roles.${needs}`) })}</Text>
    </Page>
  );
}

/** How the lists of the API continue. */
export const cursorPages = {
  pageParamName: 'cursor',
  initialPageParam: null,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
};

/** The data of a query. The pages of a list are one: their rows together, and everything else of the first page. */
type Whole<T> = T extends { pages: readonly (infer Page)[] } ? Page : T;

function wholeOf<T>(data: T): Whole<T> {
  const { pages } = data as { pages?: readonly Record<string, unknown>[] };
  if (pages === undefined) return data as never;
  const whole = Object.entries(pages[0] ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? pages.flatMap((page) => page[name]) : value,
  ]);
  return Object.fromEntries(whole);
}

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  /** A list that comes in pages has these. */
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

interface LoadedProps<T> {
  query: Asked<T>;
  children: (data: Whole<T>) => ReactNode;
  rows?: number;
}

/** The data of a query, its failure or a place holder, and a button for more. In an outage the last data stays. */
export function Loaded<T>({ query, children, rows = 5 }: LoadedProps<T>) {
  const t = useTranslations('window');
  const { data, error } = query;
  const whole = useMemo(() => (data === undefined ? undefined : wholeOf<T>(data)), [data]);
  const lastError = useRef<unknown>(null);
  // While a question that failed is asked again it has no error. Its failure stays until there is an answer.
  if (error || data !== undefined) lastError.current = error;
  const shown = lastError.current;
  return (
    <>
      {shown !== null && <FailureAlert error={shown} asksAgain />}
      {whole !== undefined && children(whole)}
      {data === undefined && shown === null && <Waiting rows={rows} />}
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage?.()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

/** Milliseconds after which people wonder whether anything comes. */
const SLOW_MS = 4_000;

/** A place holder of some lines. It says so when the answer takes long. */
export function Waiting({ rows }: { rows: number }) {
  const t = useTranslations('window');
  const [slow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), SLOW_MS, { autoInvoke: true });
  return (
    <Stack gap="sm" aria-busy>
      {slow && <Text role="status">{t('slow')}</Text>}
      {Array.from({ length: rows - (slow ? 1 : 0) }, (_, row) => (
        <Skeleton key={row} height={24} />
      ))}
    </Stack>
  );
}

interface FailureAlertProps {
  error: unknown;
  /** The page sends the request again by itself. Set it for a query. Only the person repeats a command. */
  asksAgain?: boolean;
}

/** Shows what failed, what to do about it, and the id under which the log has more. */
export function FailureAlert({ error, asksAgain = false }: FailureAlertProps) {
  const t = useTranslations('failure');
  const sentences = useSentences();
  const failure = error instanceof ApiFailure ? error : null;
  const remedy = asksAgain ? t('pageAsksAgain') : t('tryAgain');
  // A field may have several faults of one kind.
  const faults = new Set(failure?.details.map(({ path, message }) => `${path}: ${sentences.ofField(message)}`));
  // Too many requests are no outage.
  const isAway = isOutage(error) && failure?.status !== 429;
  return (
    <Alert w="100%" color={isAway ? 'yellow' : 'red'} title={isAway ? t('outage') : t('refused')} role="alert">
      {faults.size === 0 && (
        <Text>{isAway ? remedy : failure === null ? String(error) : sentences.ofCode(failure)}</Text>
      )}
      {[...faults].map((fault) => (
        <Text key={fault}>{fault}</Text>
      ))}
      {failure?.requestId && (
        <Text size="xs" mt={4}>
          {t('requestId', { id: failure.requestId })}
        </Text>
      )}
    </Alert>
  );
}

/** Sends a command at once. One that makes a key returns the answer, so that the API reference can show the key. */
export function CommandButton({ command, ...rest }: ButtonProps & { command: () => Promise<unknown> }) {
  const send = useMutation({ mutationFn: command });
  return (
    <>
      <Button {...rest} onClick={() => send.mutate()} loading={send.isPending} />
      {send.isError && <FailureAlert error={send.error} />}
    </>
  );
}
