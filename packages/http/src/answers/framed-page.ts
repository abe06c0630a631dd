// A page that only a page of ours may show, in a frame. It runs no script and belongs to no origin, so it can use no
// session, whatever is in it.
import type { ServerResponse } from 'node:http';
import { Reply, sendPage } from './respond.ts';
import { gathered } from './response-headers.ts';

export class FramedPage extends Reply {
  readonly body: string;
  readonly csp: string;

  /** @param csp the policy of the page elsewhere */
  constructor(body: string, csp: string) {
    super();
    this.body = body;
    this.csp = csp;
  }

  send(res: ServerResponse): void {
    const { body, csp } = this;
    gathered(res)['Cache-Control'] = 'no-store';
    const framed = csp.replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'");
    // The sandbox blocks scripts. Without them in the page, the browser reports no error.
    const silent = body.replace(/<script>[^<]*<\/script>/g, '');
    sendPage(res, 200, { body: silent, csp: `${framed}; sandbox` });
  }
}
