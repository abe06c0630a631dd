// Written by `npm run docs` from the OpenAPI document. Do not edit.
export interface paths {
    "/api/links/create-sdk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a deep link
         * @description Section 4.2 of the interface specification.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/create-bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create up to 1,000 independent deep links; with a server key, and a body of at most 1 MB */
        post: operations["createLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/get-by-slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a slug to its destination and metadata
         * @description Section 4.3 of the interface specification.
         */
        get: operations["getLinkBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deferred-deep-linking/install-heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report an install or an app start
         * @description Section 4.5 of the interface specification.
         */
        post: operations["recordHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deferred-deep-linking/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the links that were tapped before the install
         * @description Section 4.4 of the interface specification.
         */
        post: operations["restoreLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deferred-deep-linking/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a pending link
         * @description Section 4.6 of the interface specification.
         */
        post: operations["storePendingLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a token for the IPv6 address of the phone. Call it on a host that has an AAAA record only */
        get: operations["proveAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a device for push with its signed-in user; without `userEmail` nobody is signed in
         * @description Section 4.7 of the interface specification.
         */
        post: operations["registerDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a push was opened; it counts once for each notification and device
         * @description Section 4.8 of the interface specification.
         */
        post: operations["recordOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/unregister": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unregister a device: it gets no pushes until it registers again */
        post: operations["unregisterDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a push to devices of an app, at once or later; with a session or a token, not an SDK key
         * @description Needs the role member in the team of the app that the body names.
         */
        post: operations["sendPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app's notifications with their results, latest first
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/notifications/audience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the devices that a push would go to
         * @description Needs the role viewer in the team of the app.
         */
        post: operations["countAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/notifications/{notificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification with its results, and the reasons why devices did not get it
         * @description Needs the role viewer in the team of the notification.
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a scheduled notification; omitted fields do not change
         * @description Needs the role member in the team of the notification.
         */
        patch: operations["editPush"];
        trace?: never;
    };
    "/api/manage/notifications/{notificationId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the outcomes of a notification on each device, and the reasons. For one person or device, it also lists devices that the notification was not for. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`
         * @description Needs the role viewer in the team of the notification.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices on which a user is or was signed in, with the reason if pushes do not go there; or list all devices that get pushes
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/devices/{deviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a device with its history: registrations, and the pushes that went to it, with their outcomes. Latest first within a page. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getDevice"];
        put?: never;
        post?: never;
        /**
         * Delete a device: its token and everything about its users. It gets no pushes until the app registers it again. This cannot be undone
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["deleteDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/notifications/{notificationId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled notification
         * @description Needs the role member in the team of the notification.
         */
        post: operations["cancelPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/notifications/{notificationId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a notification that is being sent: devices to which it is not yet on its way do not get it. A scheduled one is cancelled
         * @description Needs the role member in the team of the notification.
         */
        post: operations["stopPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/push-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the push providers with credentials of an app, whether they are paused, and why
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listPushProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/push-providers/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the push credentials of an app; they are tested, and never shown
         * @description Needs the role admin in the team of the app.
         */
        put: operations["setPushProvider"];
        post?: never;
        /**
         * Delete the credentials of an app for a provider
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["removePushProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/push-providers/{kind}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused provider, after the cause of its refusals is fixed
         * @description Needs the role admin in the team of the app.
         */
        post: operations["resumePushProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the apps of your teams. The operator and owners of the installation get all apps
         * @description Needs a session or a token.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Create an app
         * @description Needs the role admin in the team that the body names.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an app, archive it or restore it; omitted fields do not change
         * @description Needs the role admin in the team of the app.
         */
        patch: operations["updateApp"];
        trace?: never;
    };
    "/api/manage/apps/{appId}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set an app's plan: its name and its limit of generated links in a month
         * @description Needs an owner of the installation.
         */
        put: operations["setPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the number of links that an app made in a month, and its plan's limit
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer an app to another team, in which you must also be an owner
         * @description Needs the role owner in the team of the app, and the role owner in the team that the body names.
         */
        post: operations["transferApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check what phones need of an app: its settings, https, and the association files on its hosts, as this gateway sees them. It takes up to five seconds. A result is given again for half a minute, unless the app changes
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["checkApp"];
        put?: never;
        /**
         * Check the association files on the hosts of an app now, and store the result as the regular check does. It takes up to ten seconds
         * @description Needs the role member in the team of the app.
         */
        post: operations["checkHostsNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the app's logo for its link pages
         * @description Needs the role admin in the team of the app.
         */
        put: operations["setLogo"];
        post?: never;
        /**
         * Remove the app's logo
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app's keys, including revoked ones
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an SDK key; its plaintext is shown only once
         * @description Needs the role admin in the team of the app.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/keys/{keyId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a key's share of the app's traffic in the last 24 hours
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a key of the same kind, shown only once; the old key expires after an overlap
         * @description Needs the role admin in the team of the app.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key: it stops working at once
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an app's links, newest first. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a link
         * @description Needs the role member in the team of the app.
         */
        post: operations["createManagedLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/links/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an app's links as CSV, newest first
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["exportLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/links/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 1,000 independent links, or only check them. If the plan has not enough left for all, none is created
         * @description Needs the role member in the team of the app.
         */
        post: operations["importLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link
         * @description Needs the role viewer in the team of the link.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the destination, metadata or expiry of a link, archive it or restore it; omitted fields do not change
         * @description Needs the role member in the team of the link.
         */
        patch: operations["editLink"];
        trace?: never;
    };
    "/api/manage/links/{linkId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a link and who made them, latest first, as long as the audit log is kept
         * @description Needs the role viewer in the team of the link.
         */
        get: operations["getLinkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/links/{linkId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what a tap on a link would do on a device, and why. Nothing is recorded
         * @description Needs the role viewer in the team of the link.
         */
        get: operations["explainLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what a tap on the URL of a link would do on a device, and why. Nothing is recorded. Open to everyone for apps with `publicTry`. Else it needs the role viewer in the team of the app
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["explainUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/explain/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the page that a tap would show, for a frame of the web app. Open to everyone for apps with `publicTry`. Else it needs the role viewer in the team of the app
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["explainPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/explain/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * For browsers: open the explanation of a link for members of its team who are signed in. Others go to the link, as with any tap
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["openExplanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/explain/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices and browsers for which a tap can be explained
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["listTryDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/restores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List restores that had a candidate, newest first, with their links and the reasons
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listRestores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/matching": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether matching by address is stricter at the moment, why, and until when
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getMatching"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/matching/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay the restores of the last days with other settings of matching, and compare the links. It changes nothing and takes up to ten seconds
         * @description Needs the role member in the team of the app.
         */
        post: operations["whatIfMatching"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the events of an app over time, in total or by a dimension
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/analytics/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the same figures as CSV: a line for each bucket and group, with days and hours of the app
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["exportAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/analytics/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count how many clicks led to the store, to an install, to restored links and to opens
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getFunnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/analytics/cohorts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the installs of each day, and how many of these devices started the app on each day after
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getCohorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/analytics/referrals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the links, taps and installs of each value of a label, e.g. of each inviter
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["getReferrals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest events of an app in the last 30 days, latest first
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the events of an app and the decisions of its restores as server-sent events
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["streamLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom domains of an app, verified or not
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a custom domain to an app. It is not served before it is verified
         * @description Needs the role admin in the team of the app.
         */
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the DNS record of a custom domain, and serve the app there if the record is found
         * @description Needs the role admin in the team of the app.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a custom domain from an app. Links stop working there at once, and continue on its other hosts
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/identity-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that sign the identity of app users, without their plaintexts
         * @description Needs the role viewer in the team of the app.
         */
        get: operations["listIdentitySecrets"];
        put?: never;
        /**
         * Create a secret that signs the identity of app users; its plaintext is shown only once
         * @description Needs the role admin in the team of the app.
         */
        post: operations["makeIdentitySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/apps/{appId}/identity-secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a secret: tokens that it signed are refused at once
         * @description Needs the role admin in the team of the app.
         */
        delete: operations["removeIdentitySecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your teams. The operator and owners of the installation get all teams
         * @description Needs a session or a token.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team with you as its owner; for owners of the installation, or for everyone if the settings allow it
         * @description Needs a session: tokens are not accepted.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description Needs the role viewer in the team.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team that has no live app: its members leave, its tokens end, and its archived apps go to the operator
         * @description Needs the role owner in the team.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename a team
         * @description Needs the role owner in the team.
         */
        patch: operations["renameTeam"];
        trace?: never;
    };
    "/api/manage/teams/{teamId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a team and its invitations
         * @description Needs the role viewer in the team.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave a team, or remove a member whose role is not above your own
         * @description Needs the role viewer in the team, and no token of a person.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member, never above your own
         * @description Needs the role admin in the team, and no token of a person.
         */
        patch: operations["setRole"];
        trace?: never;
    };
    "/api/manage/teams/{teamId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person, with a role not above your own; send them the code, which is shown only once
         * @description Needs the role admin in the team, and no token of a person.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Needs the role admin in the team, and no token of a person.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/invitations/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an invitation by its code
         * @description Needs nothing: it is open to everyone.
         */
        post: operations["lookAtInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation to a team
         * @description Needs a session: tokens are not accepted.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/invitations/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation to a team with a new account, and sign in
         * @description Needs nothing: it is open to everyone.
         */
        post: operations["joinByInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens of all people that act in a team
         * @description Needs the role admin in the team, and no token of a person.
         */
        get: operations["listTeamTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token of any person that acts in a team
         * @description Needs the role admin in the team, and no token of a person.
         */
        delete: operations["revokeTeamToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes in a team and who made them, latest first
         * @description Needs the role admin in the team.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/teams/{teamId}/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all changes in a team as a file, latest first
         * @description Needs the role admin in the team.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes in any team, also a deleted one, or outside teams: sign-ins and passwords
         * @description Needs an owner of the installation.
         */
        get: operations["listInstanceAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the changes in any team, or outside teams, as a file, latest first
         * @description Needs an owner of the installation.
         */
        get: operations["exportInstanceAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/set-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the facts for a page before sign-in: whether the instance needs an owner, and how people sign in
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["getSetUp"];
        put?: never;
        /**
         * Create the first owner with the code that the instance printed, and sign them in
         * @description Needs nothing: it is open to everyone.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in; the session is in a cookie
         * @description Needs nothing: it is open to everyone.
         */
        post: operations["signIn"];
        /**
         * Sign out; this session ends
         * @description Needs a session: tokens are not accepted.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/sign-in/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * For browsers: go to the OpenID Connect provider to sign in
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["goToProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/sign-in/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The return address for the provider. The browser goes to the path of its choice, signed in or with `error` in the query
         * @description Needs nothing: it is open to everyone.
         */
        get: operations["returnFromProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a password with the code of a reset, and sign in
         * @description Needs nothing: it is open to everyone.
         */
        post: operations["choosePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller and their role in each team
         * @description Needs a session or a token.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
         * @description Needs a session: tokens are not accepted.
         */
        patch: operations["renameMe"];
        trace?: never;
    };
    "/api/manage/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password: all your sessions end, and this browser gets a new one
         * @description Needs a session: tokens are not accepted.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions, the last used first
         * @description Needs a session: tokens are not accepted.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your sessions except this one
         * @description Needs a session: tokens are not accepted.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/me/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Needs a session: tokens are not accepted.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your tokens
         * @description Needs a session: tokens are not accepted.
         */
        get: operations["listMyTokens"];
        put?: never;
        /**
         * Create a token that acts for you in a team; its plaintext is shown only once
         * @description Needs a session: tokens are not accepted, and the role viewer in the team that the body names.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/me/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your tokens: it stops working at once
         * @description Needs a session: tokens are not accepted.
         */
        delete: operations["revokeMyToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all people of the installation
         * @description Needs an owner of the installation.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/people/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the password of a person and end their sessions; the code for a new password is shown only once
         * @description Needs an owner token.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/owner-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owner tokens
         * @description Needs an owner token.
         */
        get: operations["listOwnerTokens"];
        put?: never;
        /**
         * Create another owner token; its plaintext is shown only once
         * @description Needs an owner token.
         */
        post: operations["createOwnerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/owner-tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an owner token, even the one of this request: it stops working at once
         * @description Needs an owner token.
         */
        delete: operations["revokeOwnerToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that failed too often, newest first; at most 200 of each group, without those that an operator dropped
         * @description Needs an owner of the installation.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send dead letters to their group again, with the same ids. A letter that fails again stays, with the new reason
         * @description Needs an owner of the installation.
         */
        post: operations["replayDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/gateway": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of this gateway and its view of you
         * @description Needs an owner of the installation.
         */
        get: operations["seeGateway"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manage/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the consumer groups of the installation: their processes, and the messages that wait
         * @description Needs an owner of the installation.
         */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description The error, as a sentence. */
            error: string;
            /** @enum {string} */
            code: "INVALID_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "MOBILE_KEY_NEEDED" | "SERVER_KEY_NEEDED" | "NOT_SIGNED_IN" | "CROSS_SITE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "DOMAIN_UNPROVEN" | "RATE_LIMITED" | "TOO_MANY_STREAMS" | "SIGN_IN_BUSY" | "IDENTITY_TOKEN_INVALID" | "WRONG_ADDRESS_FAMILY" | "FAILED" | "BUSY" | "NO_ANSWER" | "DNS_SILENT" | "APP_NOT_FOUND" | "LINK_NOT_FOUND" | "LOGO_NOT_FOUND" | "NOTIFICATION_NOT_FOUND" | "DEVICE_NOT_FOUND" | "PROVIDER_NOT_FOUND" | "PUSH_BEGUN" | "PUSH_CREDENTIALS_REFUSED" | "PUSH_SENT" | "PUSH_TOO_LARGE" | "PUSH_WITHOUT_TITLE" | "KEY_NOT_FOUND" | "KEY_RETIRED" | "IDENTITY_SECRET_NEEDED" | "IDENTITY_SECRET_NOT_FOUND" | "KEY_UNKNOWN" | "TOKEN_UNKNOWN" | "GENERATED_LINKS_LIMIT_REACHED" | "IDEMPOTENCY_KEY_REUSED" | "SUBDOMAIN_TAKEN" | "SUBDOMAIN_RESERVED" | "ALREADY_MEMBER" | "CODE_UNKNOWN" | "EMAIL_NOT_VERIFIED" | "FORBIDDEN" | "INVITATION_NOT_FOUND" | "INVITED_OTHER" | "LAST_OWNER" | "DOMAIN_EXISTS" | "DOMAIN_NOT_FOUND" | "DOMAIN_NOT_VERIFIED" | "DOMAIN_TAKEN" | "TEAM_HAS_APPS" | "TOO_MANY_APPS" | "TOO_MANY_DOMAINS" | "TOO_MANY_SUBDOMAINS" | "TOO_MANY_TEAMS" | "MEMBER_NOT_FOUND" | "CATCHING_UP" | "NO_ACCOUNT" | "OTHER_IDENTITY" | "PASSWORD_COMMON" | "PASSWORD_FIRST" | "PASSWORD_TOO_SHORT" | "PERSON_EXISTS" | "PERSON_NOT_FOUND" | "SESSION_NOT_FOUND" | "SESSION_UNKNOWN" | "SET_UP_DONE" | "SIGN_IN_DELAYED" | "SIGN_IN_USED" | "TEAM_NOT_FOUND" | "TOKEN_NOT_FOUND" | "VERSION_MISMATCH" | "WRONG_CREDENTIALS" | "RANGE_EMPTY" | "RANGE_TOO_LONG" | "DIMENSION_UNKNOWN" | "QUESTION_TOO_LARGE" | "TOO_MANY_QUESTIONS";
            /** @description The invalid fields. */
            details?: {
                path: string;
                message: string;
            }[];
        };
        App: {
            ios: {
                /** @default null */
                storeId: string | null;
                /** @default null */
                teamId: string | null;
                /** @default null */
                bundleId: string | null;
                /** @default null */
                storeUrl: string | null;
                /**
                 * @description The bundle identifier of the App Clip. With it, Safari shows a page with the card of the App Clip.
                 * @default null
                 */
                appClipBundleId: string | null;
            };
            android: {
                /** @default null */
                package: string | null;
                /** @default [] */
                certificates: string[];
                /** @default null */
                storeUrl: string | null;
                /** @default null */
                huaweiStoreUrl: string | null;
                /** @default null */
                amazonStoreUrl: string | null;
            };
            /** @default null */
            webFallbackUrl: string | null;
            matching: {
                /** @default true */
                existingUsers: boolean;
                /**
                 * @default address
                 * @enum {string}
                 */
                evidence: "exact" | "address" | "device";
                /** @default 60 */
                windowMinutes: number;
                /** @default 90 */
                personMinutes: number;
                /** @default 30 */
                installedWindowMinutes: number;
                /** @default 60 */
                installedPersonMinutes: number;
                /** @default 25 */
                newcomerMinutes: number;
                /** @default 15 */
                otherPlatformMinutes: number;
                /** @default 2 */
                otherPlatformPeople: number;
                /** @default 120 */
                modelWindowMinutes: number;
                /** @default 120 */
                ipv6WindowMinutes: number;
                /** @default 240 */
                ipv6PersonMinutes: number;
                /** @default 50 */
                crowdTaps: number;
                /** @default 3 */
                crowdDevices: number;
                /** @default 60 */
                newDeviceMinutes: number;
                /** @default 7 */
                returningDeviceDays: number;
                /** @default 6 */
                sharedFingerprintPeople: number;
                /** @default 1380 */
                sharedFingerprintMinutes: number;
                /** @default 30 */
                sharedFingerprintDays: number;
                /** @default 30 */
                sameStartSeconds: number;
                /** @default 30 */
                tokenDays: number;
                /** @default 30 */
                emailDays: number;
                /** @default 7 */
                fingerprintDays: number;
            };
            /**
             * @description Query parameters of taps that `link.clicked` publishes, besides `utm_*` and the click ids of ad networks. All readers of events see their values, so do not add a parameter that identifies a person.
             * @default []
             */
            publishedParameters: string[];
            /**
             * @default off
             * @enum {string}
             */
            identity: "off" | "preferred" | "required";
            /**
             * @description Metadata keys of links whose values travel with events as labels, so that analytics can count by them, e.g. `inviter` or `campaign`. All readers of events see their values, so do not add a key that identifies a person.
             * @default []
             */
            labels: string[];
            /** @default UTC */
            timeZone: string;
            /**
             * @description Whether everyone may see what taps on links of the app do, at `/try`. Else only members may.
             * @default false
             */
            publicTry: boolean;
            /**
             * @description Whether the button to the App Store copies a link that names the tap. The app may read it from the clipboard at its first start and send it as `clipboard` of a restore. iPhones then see a page with the button before the App Store.
             * @default false
             */
            clipboard: boolean;
            branding: {
                /**
                 * @description The color of the first button. The color of its text follows from it. Null: black or white.
                 * @default null
                 */
                color: string | null;
                /**
                 * @description A sentence about the app, below its name.
                 * @default null
                 */
                sentence: (string & (unknown & unknown & unknown)) | null;
                /**
                 * @description The SHA-256 of the logo, which is at `/logos/<SHA-256>.png` on every host. `setLogo` changes it.
                 * @default null
                 */
                logo: string | null;
            };
            social: {
                /**
                 * @description The title of previews, for links without their own. Null: the name of the app.
                 * @default null
                 */
                title: (string & (unknown & unknown & unknown)) | null;
                /**
                 * @description The text of previews, for links without their own. Null: the sentence about the app.
                 * @default null
                 */
                description: (string & (unknown & unknown & unknown)) | null;
                /**
                 * @description The image of previews, for links without their own. Networks show 1200 × 630 pixels whole.
                 * @default null
                 */
                imageUrl: string | null;
            };
            /** Format: uuid */
            id: string;
            /** @default null */
            teamId: string | null;
            name: string;
            subdomain: string;
            /** @default [] */
            domains: string[];
            /** @default null */
            primaryDomain: string | null;
            plan: {
                name: string;
                linksPerMonth: number | null;
            };
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** @default null */
            archivedAt: string | null;
            linkHost: string;
            openHost: string;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "person" | "token" | "operator";
                userId: string | null;
                tokenId: string | null;
            };
            /** @description The current email. */
            actorEmail: string | null;
            address: string | null;
            action: string;
            teamId: string | null;
            appId: string | null;
            /** Format: uuid */
            subject: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        DeadLetter: {
            /** @description The consumer group that gave up on the event, or the topic of the command. */
            group: string;
            /** @description The position in the group. */
            place: string;
            /** @description The name of the command or event. */
            message: string;
            messageId: string;
            key: string;
            /** @description The content. Sealed fields stay sealed. */
            data: unknown;
            /** @description The error of the last attempt. */
            reason: string;
            attempts: number;
            /** @description Null when the message could not be read. */
            at: string | null;
            replayed: boolean;
            /** @description True while a replay of the letter goes on. Over Kafka never: a letter that fails again is not replayed. */
            replaying: boolean;
        };
        Delivery: {
            id: string | null;
            /** Format: uuid */
            deviceId: string;
            platform: ("ios" | "android") | null;
            /** @enum {string} */
            kind: "fcm" | "apns";
            language: string | null;
            /** @enum {string} */
            state: "queued" | "sent" | "logged" | "failed" | "unknown" | "stopped" | "none";
            reason: string | null;
            explanation: string;
            attempts: number;
            nextAt: string | null;
            endedAt: string | null;
            openedAt: string | null;
        };
        Device: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @enum {string} */
            kind: "fcm" | "apns";
            environment: ("production" | "sandbox") | null;
            language: string | null;
            /** @enum {string} */
            state: "live" | "signed-out" | "dropped";
            explanation: string;
            /** Format: date-time */
            firstSeen: string;
            /** Format: date-time */
            lastSeen: string;
            droppedAt: string | null;
            dropReason: string | null;
        };
        DeviceEvent: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "registered" | "seen" | "person" | "dropped" | "push" | "opened";
            explanation: string;
            state: ("queued" | "sent" | "logged" | "failed" | "unknown" | "stopped" | "none") | null;
            notificationId: string | null;
            title: string | null;
        };
        Domain: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            appId: string;
            domain: string;
            /** Format: date-time */
            createdAt: string;
            verifiedAt: string | null;
            /** @description The DNS record that verifies the domain. */
            record: {
                /** @constant */
                type: "TXT";
                name: string;
                value: string;
            };
        };
        Identity: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** @description The name of the provider for people. */
            name: string;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            teamId: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            invitedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @description A key without its plaintext, which is shown only once, at its creation. */
        Key: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            appId: string;
            /**
             * @default mobile
             * @enum {string}
             */
            kind: "mobile" | "server";
            label: string;
            hint: string;
            /** Format: date-time */
            createdAt: string;
            /** @default null */
            expiresAt: string | null;
            /** @default null */
            replacedBy: string | null;
            revokedAt: string | null;
            lastUsedAt: string | null;
        };
        Link: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            appId: string;
            slug: string;
            destination: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            archivedAt: string | null;
            version: number;
            url: string;
        };
        Member: {
            /** Format: uuid */
            userId: string;
            email: string;
            /** @default false */
            emailVerified: boolean;
            name: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** Format: date-time */
            since: string;
        };
        Notification: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            appId: string;
            message: {
                title: string;
                body: string;
                destinationPath: (string & (unknown & unknown & unknown)) | null;
                metadata: {
                    [key: string]: string | number | boolean;
                };
                imageUrl: string | null;
                sound: string | null;
                badge: number | null;
                collapseKey: string | null;
                /** @default null */
                priority: ("high" | "normal") | null;
                /** @default false */
                silent: boolean;
                /** @default null */
                category: string | null;
                /** @default null */
                mutableContent: boolean | null;
                /** @default null */
                ios: {
                    title?: string;
                    body?: string;
                    imageUrl?: string;
                    sound?: string;
                    badge?: number;
                    /** @enum {string} */
                    priority?: "high" | "normal";
                    category?: string;
                    mutableContent?: boolean;
                    /** @enum {string} */
                    interruptionLevel?: "passive" | "active" | "time-sensitive" | "critical";
                } | null;
                /** @default null */
                android: {
                    title?: string;
                    body?: string;
                    imageUrl?: string;
                    sound?: string;
                    badge?: number;
                    /** @enum {string} */
                    priority?: "high" | "normal";
                    channelId?: string;
                } | null;
                /** @default {} */
                localized: {
                    [key: string]: {
                        title?: string;
                        body?: string;
                    };
                };
            };
            target: {
                platform: ("ios" | "android") | null;
                seenWithinDays: number | null;
                emails: number | null;
                tokens: number | null;
            };
            /** @enum {string} */
            status: "scheduled" | "sending" | "sent" | "cancelled" | "stopped";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            sendAt: string;
            /** Format: date-time */
            expiresAt: string;
            cancelledAt: string | null;
            /** @default null */
            stoppedAt: string | null;
            targeted: number;
            counts: {
                queued: number;
                sent: number;
                failed: number;
                unknown: number;
                opened: number;
                /** @default 0 */
                logged: number;
                /** @default 0 */
                stopped: number;
            };
            /** @default 1 */
            version: number;
        };
        /** @description An owner token without its plaintext, which is shown only once, at its creation. */
        OwnerToken: {
            /** Format: uuid */
            id: string;
            label: string;
            hint: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        Person: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            instanceOwner: boolean;
            hasPassword: boolean;
            /** @default false */
            emailVerified: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        PushProvider: {
            /** @enum {string} */
            kind: "fcm" | "apns";
            facts: {
                projectId: string | null;
                clientEmail: string | null;
                keyId: string | null;
                teamId: string | null;
                bundleId: string | null;
            };
            /** Format: date-time */
            setAt: string;
            waitUntil: string | null;
            pausedAt: string | null;
            pauseReason: string | null;
            version: number;
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            endsAt: string;
            /** @description The name of the browser, e.g. `Firefox on Windows`. */
            userAgent: string;
            /** @description True for the session of this request. */
            current: boolean;
        };
        Team: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            version: number;
        };
        /** @description A token without its plaintext, which is shown only once, at its creation. */
        Token: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            /** Format: uuid */
            teamId: string;
            /** @enum {string} */
            scope: "read" | "write";
            label: string;
            hint: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type App = components['schemas']['App'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type DeadLetter = components['schemas']['DeadLetter'];
export type Delivery = components['schemas']['Delivery'];
export type Device = components['schemas']['Device'];
export type DeviceEvent = components['schemas']['DeviceEvent'];
export type Domain = components['schemas']['Domain'];
export type Identity = components['schemas']['Identity'];
export type Invitation = components['schemas']['Invitation'];
export type Key = components['schemas']['Key'];
export type Link = components['schemas']['Link'];
export type Member = components['schemas']['Member'];
export type Notification = components['schemas']['Notification'];
export type OwnerToken = components['schemas']['OwnerToken'];
export type Person = components['schemas']['Person'];
export type PushProvider = components['schemas']['PushProvider'];
export type Session = components['schemas']['Session'];
export type Team = components['schemas']['Team'];
export type Token = components['schemas']['Token'];
export type $defs = Record<string, never>;
export interface operations {
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key make one link. Keys sent with a mobile key, with a server key and to the management API are separate. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "/products/42?utm_source=newsletter",
                 *       "metadata": {
                 *         "campaign": "autumn",
                 *         "inviter": "ada"
                 *       }
                 *     }
                 */
                "application/json": {
                    destination: string & (unknown & unknown & unknown);
                    metadata?: {
                        [key: string]: unknown;
                    } | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "link": {
                     *         "id": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                     *         "slug": "1763631667512-x7k2m9qd",
                     *         "url": "https://shop.go.example.com/1763631667512-x7k2m9qd",
                     *         "destination": "/products/42?utm_source=newsletter",
                     *         "metadata": {
                     *           "campaign": "autumn",
                     *           "inviter": "ada",
                     *           "destination_path": "/products/42",
                     *           "destination_full": "/products/42?utm_source=newsletter",
                     *           "created_via": "sdk"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: {
                            /** Format: uuid */
                            id: string;
                            slug: string;
                            url: string;
                            destination: string;
                            metadata: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `IDEMPOTENCY_KEY_REUSED` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `GENERATED_LINKS_LIMIT_REACHED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "links": [
                 *         {
                 *           "destination": "/products/42",
                 *           "metadata": {
                 *             "campaign": "autumn",
                 *             "inviter": "ada"
                 *           },
                 *           "idempotencyKey": "newsletter-42"
                 *         },
                 *         {
                 *           "destination": "/products/43",
                 *           "metadata": {
                 *             "campaign": "autumn",
                 *             "inviter": "ada"
                 *           },
                 *           "idempotencyKey": "newsletter-43"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    links: {
                        destination: string & (unknown & unknown & unknown);
                        metadata?: {
                            [key: string]: unknown;
                        } | "" | null;
                        /** @description The same key makes the same link, like the header of a create. */
                        idempotencyKey?: string | "" | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "outcomes": [
                     *         {
                     *           "success": true,
                     *           "link": {
                     *             "id": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                     *             "slug": "1763631667512-x7k2m9qd",
                     *             "url": "https://shop.go.example.com/1763631667512-x7k2m9qd",
                     *             "destination": "/products/42",
                     *             "metadata": {
                     *               "campaign": "autumn",
                     *               "inviter": "ada",
                     *               "destination_path": "/products/42",
                     *               "destination_full": "/products/42",
                     *               "created_via": "sdk"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "success": false,
                     *           "code": "INVALID_REQUEST",
                     *           "error": "The request is not valid.",
                     *           "details": [
                     *             {
                     *               "path": "destination",
                     *               "message": "Required"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "created": 1,
                     *       "failed": 1
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description One for each link, in the same order. */
                        outcomes: ({
                            /** @constant */
                            success: true;
                            link: {
                                /** Format: uuid */
                                id: string;
                                slug: string;
                                url: string;
                                destination: string;
                                metadata: {
                                    [key: string]: unknown;
                                };
                            };
                        } | {
                            /** @constant */
                            success: false;
                            code: string;
                            error: string;
                            details?: {
                                path: string;
                                message: string;
                            }[];
                        })[];
                        /** @description Links that were created, or already existed for the same key. */
                        created: number;
                        failed: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `SERVER_KEY_NEEDED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkBySlug: {
        parameters: {
            query: {
                slug: string;
                /** @description Takes precedence over `hostname`. One of the two is required. */
                appId?: string | "";
                /** @description The app's link host, open host or custom domain. */
                hostname?: string | "";
            };
            header?: {
                /** @description The version of the app, at most 50 printable ASCII characters. Analytics counts by it. */
                "X-App-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "link": {
                     *         "id": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                     *         "slug": "1763631667512-x7k2m9qd",
                     *         "destination_web_url": "/products/42?utm_source=newsletter",
                     *         "destination": "/products/42?utm_source=newsletter",
                     *         "destination_path": "/products/42",
                     *         "metadata": {
                     *           "utm_source": "newsletter",
                     *           "campaign": "autumn",
                     *           "inviter": "ada",
                     *           "destination_path": "/products/42",
                     *           "destination_full": "/products/42?utm_source=newsletter",
                     *           "created_via": "sdk"
                     *         },
                     *         "parameters": {
                     *           "campaign": "autumn",
                     *           "inviter": "ada",
                     *           "utm_source": "newsletter"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: {
                            /** Format: uuid */
                            id: string;
                            slug: string;
                            destination_web_url: string;
                            destination_path: string;
                            destination: string;
                            parameters: {
                                [key: string]: unknown;
                            };
                            metadata: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recordHeartbeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the app, at most 50 printable ASCII characters. Analytics counts by it. */
                "X-App-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceFingerprint": "a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d",
                 *       "platform": "ios"
                 *     }
                 */
                "application/json": {
                    /** @description An id that the client makes. */
                    deviceFingerprint: string;
                    /** @description The platform of the client. If omitted, the user agent decides, if it names one. */
                    platform?: ("ios" | "android") | "" | null;
                    /** @description The version of the system. Android: `Build.VERSION.RELEASE`, e.g. `14`. Only Android phones are compared by it, and only by the first number. */
                    osVersion?: string | "" | null;
                    /** @description The model of the phone. Android: `Build.MODEL`, e.g. `Pixel 8`. It is stored as a keyed hash. Only Android phones are compared by it. */
                    model?: string | "" | null;
                    /** @description The first language of the phone, as in BCP 47, e.g. `de-AT`. Android: `Locale.getDefault().toLanguageTag()`. iOS: `Locale.preferredLanguages.first`. It is recorded with the decision and decides nothing. */
                    language?: string | "" | null;
                    /** @description The `addressToken` of `GET /api/address`, which proves the IPv6 address of the phone. A token that is too old, changed, or of another app or device counts as omitted. */
                    addressToken?: string | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "isFirstLaunch": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        isFirstLaunch: boolean;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the app, at most 50 printable ASCII characters. Analytics counts by it. */
                "X-App-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceFingerprint": "a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d",
                 *       "platform": "ios",
                 *       "installedSecondsAgo": 20
                 *     }
                 */
                "application/json": {
                    /** @description The email, or any other id, of a user. */
                    userEmail?: (string & (unknown & unknown)) | "" | null;
                    /** @description A JWT (HS256) of the app's backend that identifies the user: `sub` is the `userEmail`, `exp` is within 24 hours. Ignored when the app's `identity` is `off`. */
                    identityToken?: string | "" | null;
                    /** @description An id that the client makes. */
                    deviceFingerprint?: string | "" | null;
                    /** @description The whole install referrer from Google Play. */
                    installReferrer?: string | "" | null;
                    /** @description The text that the app found on the clipboard, if the link page of an app with `clipboard` has put a link there. Anything else counts as omitted. A token works once, for ten minutes after the tap. */
                    clipboard?: string | "" | null;
                    /** @description The platform of the client. If omitted, the user agent decides, if it names one. */
                    platform?: ("ios" | "android") | "" | null;
                    /** @description The version of the system. Android: `Build.VERSION.RELEASE`, e.g. `14`. Only Android phones are compared by it, and only by the first number. */
                    osVersion?: string | "" | null;
                    /** @description The model of the phone. Android: `Build.MODEL`, e.g. `Pixel 8`. It is stored as a keyed hash. Only Android phones are compared by it. */
                    model?: string | "" | null;
                    /** @description The first language of the phone, as in BCP 47, e.g. `de-AT`. Android: `Locale.getDefault().toLanguageTag()`. iOS: `Locale.preferredLanguages.first`. It is recorded with the decision and decides nothing. */
                    language?: string | "" | null;
                    /** @description The `addressToken` of `GET /api/address`, which proves the IPv6 address of the phone. A token that is too old, changed, or of another app or device counts as omitted. */
                    addressToken?: string | "" | null;
                    /** @description Seconds since the app was installed. It is a duration, so that no clock is trusted. Android: now minus `PackageInfo.firstInstallTime`. iOS: now minus the creation time of the app’s container. A value below 0 or above ten years counts as omitted. With this field a device is new if the app was installed after the tap, and less than `matching.newDeviceMinutes` ago. */
                    installedSecondsAgo?: number | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                } | {
                    userEmail: string;
                } | {
                    identityToken: string;
                } | {
                    deviceFingerprint: string;
                } | {
                    installReferrer: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "restoredLinks": [
                     *         {
                     *           "pendingLinkId": "0198c9ba-91d3-7f06-8b2c-1d3e5f708192",
                     *           "pending_link_id": "0198c9ba-91d3-7f06-8b2c-1d3e5f708192",
                     *           "originalUrl": "https://shop.go.example.com/1763631667512-x7k2m9qd",
                     *           "original_url": "https://shop.go.example.com/1763631667512-x7k2m9qd",
                     *           "destination_url": "/products/42?utm_source=newsletter",
                     *           "destination": "/products/42?utm_source=newsletter",
                     *           "destination_path": "/products/42",
                     *           "metadata": {
                     *             "utm_source": "newsletter",
                     *             "campaign": "autumn",
                     *             "inviter": "ada",
                     *             "destination_path": "/products/42",
                     *             "destination_full": "/products/42?utm_source=newsletter",
                     *             "created_via": "sdk"
                     *           },
                     *           "parameters": {
                     *             "campaign": "autumn",
                     *             "inviter": "ada",
                     *             "utm_source": "newsletter"
                     *           },
                     *           "linkId": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                     *           "link_id": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                     *           "matchType": "address",
                     *           "matchedAt": "2026-11-20T09:41:07.512Z"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "message": "Restored 1 pending links"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        restoredLinks: {
                            pendingLinkId: string;
                            pending_link_id: string;
                            originalUrl: string;
                            original_url: string;
                            destination_url: string;
                            destination: string;
                            destination_path: string;
                            metadata: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** Format: uuid */
                            linkId: string;
                            /** Format: uuid */
                            link_id: string;
                            /** @enum {string} */
                            matchType: "token" | "email" | "fingerprint" | "address";
                            matchedAt: string;
                        }[];
                        count: number;
                        message: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED`, `IDENTITY_TOKEN_INVALID` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CATCHING_UP`, `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    storePendingLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "linkId": "0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718",
                 *       "originalUrl": "https://shop.go.example.com/1763631667512-x7k2m9qd",
                 *       "userEmail": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    linkId: string;
                    originalUrl?: string | "" | null;
                    /** @description The email, or any other id, of a user. */
                    userEmail?: (string & (unknown & unknown)) | "" | null;
                    /** @description A JWT (HS256) of the app's backend that identifies the user: `sub` is the `userEmail`, `exp` is within 24 hours. Ignored when the app's `identity` is `off`. */
                    identityToken?: string | "" | null;
                    /** @description An id that the client makes. */
                    deviceFingerprint?: string | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "pendingLinkId": "0198c9ba-91d3-7f06-8b2c-1d3e5f708192"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        pendingLinkId: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED`, `IDENTITY_TOKEN_INVALID` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    proveAddress: {
        parameters: {
            query?: {
                /** @description The fingerprint of the restore. With it, the token works for this device only. */
                deviceFingerprint?: string | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description For `addressToken` of the heartbeat and the restore. */
                        addressToken: string;
                        expiresInSeconds: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `WRONG_ADDRESS_FAMILY` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the app, at most 50 printable ASCII characters. Analytics counts by it. */
                "X-App-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceToken": "6f1c0e9a8b7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3",
                 *       "platform": "ios",
                 *       "userEmail": "ada@example.com",
                 *       "language": "de",
                 *       "environment": "production"
                 *     }
                 */
                "application/json": {
                    /** @description The token that Firebase or APNs gave to the app. */
                    deviceToken: string | unknown | unknown | unknown | unknown | unknown | unknown;
                    /** @enum {string} */
                    platform: "ios" | "android";
                    /** @description The email, or any other id, of a user. */
                    userEmail?: (string & (unknown & unknown)) | "" | null;
                    /** @description A JWT (HS256) of the app's backend that identifies the user: `sub` is the `userEmail`, `exp` is within 24 hours. Ignored when the app's `identity` is `off`. */
                    identityToken?: string | "" | null;
                    /** @description The language of the app, BCP 47 or as the system spells it: `de-AT`, `de_AT`, `sr_RS_#Latn`. If omitted, it does not change. After a language that cannot be read, the device has none, and gets the texts that are for everybody. */
                    language?: string | "" | null;
                    /** @description For an APNs token: the host of Apple that knows it. */
                    environment?: ("production" | "sandbox") | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED`, `IDENTITY_TOKEN_INVALID` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recordOpen: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the app, at most 50 printable ASCII characters. Analytics counts by it. */
                "X-App-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notificationId": "0198cb40-77d2-7c35-b6e1-9a8f5d4c3b21",
                 *       "deviceToken": "6f1c0e9a8b7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3"
                 *     }
                 */
                "application/json": {
                    /** @description The id that came with the push, even if it is from another service. */
                    notificationId: string & (unknown & unknown);
                    /** @description The token that came with the push. */
                    deviceToken?: string | "" | null;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unregisterDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceToken": "6f1c0e9a8b7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3"
                 *     }
                 */
                "application/json": {
                    /** @description The token that Firebase or APNs gave to the app. */
                    deviceToken: string | unknown | unknown | unknown | unknown | unknown | unknown;
                    /** @description Ignored. The key decides the app. */
                    appId?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAUTHORIZED`, `MOBILE_KEY_NEEDED` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "appId": "0198c9a2-5b3e-7d41-9f0a-3c1e8b7a6d52",
                 *       "target": {
                 *         "platform": "ios",
                 *         "userEmails": [
                 *           "ada@example.com"
                 *         ]
                 *       },
                 *       "title": "Your order is on its way",
                 *       "body": "It arrives on Tuesday.",
                 *       "destinationPath": "/orders/1001",
                 *       "idempotencyKey": "order-1001-sent"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    appId: string;
                    /** @description A push that is not silent needs a title or a body. */
                    title?: string;
                    /** @description A push that is not silent needs a title or a body. */
                    body?: string;
                    /** @description The path that the app opens, with its query. Without it the public SDK opens `/`. */
                    destinationPath?: string & (unknown & unknown & unknown);
                    /** @description A flat object: each value is a string, a number or a boolean. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /**
                     * Format: uri
                     * @description An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.
                     */
                    imageUrl?: string;
                    /** @description `default`, or a sound of the app. If omitted: none. */
                    sound?: string;
                    /** @description The number on the app's icon. 0 removes it. If omitted, it does not change. */
                    badge?: number;
                    /** @description Of several pushes with one key a device shows only the last. */
                    collapseKey?: string;
                    /**
                     * @description `normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.
                     * @enum {string}
                     */
                    priority?: "high" | "normal";
                    /** @description The app gets the data and shows nothing: texts and sounds are not sent. */
                    silent?: boolean;
                    /** @description The category of the app whose buttons an iPhone shows with it. */
                    category?: string;
                    /** @description True: the app's extension may change it first on an iPhone. Default: true if it has an image. */
                    mutableContent?: boolean;
                    /** @description Replaces the fields above on iPhones. */
                    ios?: {
                        title?: string;
                        body?: string;
                        /**
                         * Format: uri
                         * @description An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.
                         */
                        imageUrl?: string;
                        /** @description `default`, or a sound of the app. If omitted: none. */
                        sound?: string;
                        /** @description The number on the app's icon. 0 removes it. If omitted, it does not change. */
                        badge?: number;
                        /**
                         * @description `normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.
                         * @enum {string}
                         */
                        priority?: "high" | "normal";
                        /** @description The category of the app whose buttons an iPhone shows with it. */
                        category?: string;
                        /** @description True: the app's extension may change it first on an iPhone. Default: true if it has an image. */
                        mutableContent?: boolean;
                        /**
                         * @description One of the levels of Apple. `critical` needs an entitlement.
                         * @enum {string}
                         */
                        interruptionLevel?: "passive" | "active" | "time-sensitive" | "critical";
                    };
                    /** @description Replaces the fields above on Android. */
                    android?: {
                        title?: string;
                        body?: string;
                        /**
                         * Format: uri
                         * @description An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.
                         */
                        imageUrl?: string;
                        /** @description `default`, or a sound of the app. If omitted: none. */
                        sound?: string;
                        /** @description The number on the app's icon. 0 removes it. If omitted, it does not change. */
                        badge?: number;
                        /**
                         * @description `normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.
                         * @enum {string}
                         */
                        priority?: "high" | "normal";
                        /** @description The app's notification channel on Android. */
                        channelId?: string;
                    };
                    /** @description Texts by language (BCP 47). A device in `de-AT` shows those of `de-AT`, else of `de`, else those above. They take precedence over texts of a platform. */
                    localized?: {
                        [key: string]: {
                            title?: string;
                            body?: string;
                        };
                    };
                    /** @description The audience. A device must match all given fields. */
                    target: {
                        /**
                         * @description Every device of the app. No other field may be given.
                         * @constant
                         */
                        all?: true;
                        /** @enum {string} */
                        platform?: "ios" | "android";
                        /** @description Devices on which one of these users is signed in. */
                        userEmails?: (string & (unknown & unknown))[];
                        deviceTokens?: (string | unknown | unknown | unknown | unknown | unknown | unknown)[];
                        /** @description Devices that registered within this number of days. */
                        seenWithinDays?: number;
                    } | unknown | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    };
                    /**
                     * Format: date-time
                     * @description The time to send it, within a year. At once if omitted or past.
                     */
                    scheduleAt?: string;
                    /**
                     * @description Seconds for which the provider tries to deliver to a device that it cannot reach at once. Default: 28 days. Minimum: ten seconds.
                     * @default 2419200
                     */
                    ttlSeconds?: number;
                    /**
                     * @description Checks everything and sends nothing.
                     * @default false
                     */
                    dryRun?: boolean;
                    /** @description The same key and body within 30 days send nothing again, and return the first answer. */
                    idempotencyKey?: string;
                } | unknown | {
                    body: string;
                } | {
                    /** @constant */
                    silent: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "notificationId": "0198cb40-77d2-7c35-b6e1-9a8f5d4c3b21",
                     *       "status": "sending",
                     *       "targeted": 2
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Null after a dry run. */
                        notificationId: string | null;
                        /** @enum {string} */
                        status: "scheduled" | "sending" | "sent" | "cancelled" | "stopped" | "dry-run";
                        /** @description The number of devices in the audience at this moment. */
                        targeted: number;
                        warnings?: string[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PUSH_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        notifications: components["schemas"]["Notification"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    countAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": {
                 *         "platform": "ios",
                 *         "userEmails": [
                 *           "ada@example.com"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The audience. A device must match all given fields. */
                    target: {
                        /**
                         * @description Every device of the app. No other field may be given.
                         * @constant
                         */
                        all?: true;
                        /** @enum {string} */
                        platform?: "ios" | "android";
                        /** @description Devices on which one of these users is signed in. */
                        userEmails?: (string & (unknown & unknown))[];
                        deviceTokens?: (string | unknown | unknown | unknown | unknown | unknown | unknown)[];
                        /** @description Devices that registered within this number of days. */
                        seenWithinDays?: number;
                    } | unknown | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        targeted: number;
                        byKind: {
                            fcm: number;
                            apns: number;
                        };
                        byPlatform: {
                            ios: number;
                            android: number;
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        notification: components["schemas"]["Notification"];
                        reasons: {
                            reason: string;
                            count: number;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOTIFICATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    editPush: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made. */
                "If-Match"?: string;
            };
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Your order arrives today",
                 *       "scheduleAt": "2030-01-15T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @description Null removes it. */
                    title?: string | null;
                    /** @description Null removes it. */
                    body?: string | null;
                    /** @description Null removes it. */
                    destinationPath?: (string & (unknown & unknown & unknown)) | null;
                    /** @description Replaces all of it. Null removes it. */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    /** @description Null removes it. */
                    imageUrl?: string | null;
                    /** @description Null removes it. */
                    sound?: string | null;
                    /** @description Null: the number does not change. */
                    badge?: number | null;
                    /** @description Null removes it. */
                    collapseKey?: string | null;
                    /** @description Null: the default. */
                    priority?: ("high" | "normal") | null;
                    /** @description The app gets the data and shows nothing: texts and sounds are not sent. */
                    silent?: boolean;
                    /** @description Null removes it. */
                    category?: string | null;
                    /** @description Null: true if it has an image. */
                    mutableContent?: boolean | null;
                    /** @description Replaces all fields for iPhones. Null removes it. */
                    ios?: {
                        title?: string;
                        body?: string;
                        /**
                         * Format: uri
                         * @description An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.
                         */
                        imageUrl?: string;
                        /** @description `default`, or a sound of the app. If omitted: none. */
                        sound?: string;
                        /** @description The number on the app's icon. 0 removes it. If omitted, it does not change. */
                        badge?: number;
                        /**
                         * @description `normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.
                         * @enum {string}
                         */
                        priority?: "high" | "normal";
                        /** @description The category of the app whose buttons an iPhone shows with it. */
                        category?: string;
                        /** @description True: the app's extension may change it first on an iPhone. Default: true if it has an image. */
                        mutableContent?: boolean;
                        /**
                         * @description One of the levels of Apple. `critical` needs an entitlement.
                         * @enum {string}
                         */
                        interruptionLevel?: "passive" | "active" | "time-sensitive" | "critical";
                    } | null;
                    /** @description Replaces all fields for Android. Null removes it. */
                    android?: {
                        title?: string;
                        body?: string;
                        /**
                         * Format: uri
                         * @description An https address of an image. Letters and signs are encoded. Firebase accepts no `//` and no `&` in its path, and no `_` in its host.
                         */
                        imageUrl?: string;
                        /** @description `default`, or a sound of the app. If omitted: none. */
                        sound?: string;
                        /** @description The number on the app's icon. 0 removes it. If omitted, it does not change. */
                        badge?: number;
                        /**
                         * @description `normal` may wait until the device wakes up. Default: `high`, or `normal` for a silent push.
                         * @enum {string}
                         */
                        priority?: "high" | "normal";
                        /** @description The app's notification channel on Android. */
                        channelId?: string;
                    } | null;
                    /** @description Replaces all languages. Null removes it. */
                    localized?: {
                        [key: string]: {
                            title?: string;
                            body?: string;
                        };
                    } | null;
                    /** @description The audience. A device must match all given fields. */
                    target?: {
                        /**
                         * @description Every device of the app. No other field may be given.
                         * @constant
                         */
                        all?: true;
                        /** @enum {string} */
                        platform?: "ios" | "android";
                        /** @description Devices on which one of these users is signed in. */
                        userEmails?: (string & (unknown & unknown))[];
                        deviceTokens?: (string | unknown | unknown | unknown | unknown | unknown | unknown)[];
                        /** @description Devices that registered within this number of days. */
                        seenWithinDays?: number;
                    } | unknown | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    } | {
                        all?: never;
                    };
                    /**
                     * Format: date-time
                     * @description The time to send it, within a year. A past time means at once.
                     */
                    scheduleAt?: string;
                    /** @description Counted from the time of sending. If omitted, it does not change. */
                    ttlSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        notification: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PUSH_TOO_LARGE`, `PUSH_WITHOUT_TITLE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOTIFICATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PUSH_BEGUN` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description `none`: the notification was not for the device. Only with a person or a device. */
                state?: "queued" | "sent" | "logged" | "failed" | "unknown" | "stopped" | "none";
                /** @description Only devices on which this user is or was signed in. */
                userEmail?: string & (unknown & unknown);
                deviceId?: string;
            };
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        deliveries: components["schemas"]["Delivery"][];
                        explanation: string | null;
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOTIFICATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Devices on which this user is or was signed in. If omitted: all devices that get pushes. */
                userEmail?: string & (unknown & unknown);
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        devices: components["schemas"]["Device"][];
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDevice: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                appId: string;
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        device: components["schemas"]["Device"];
                        events: components["schemas"]["DeviceEvent"][];
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `DEVICE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `DEVICE_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelPush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        notification: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOTIFICATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PUSH_BEGUN` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stopPush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        notification: components["schemas"]["Notification"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOTIFICATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PUSH_SENT` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPushProviders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        providers: components["schemas"]["PushProvider"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setPushProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                kind: "fcm" | "apns";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
                 *       "keyId": "ABC123DEFG",
                 *       "teamId": "DEF123GHIJ",
                 *       "bundleId": "com.example.shop"
                 *     }
                 */
                "application/json": {
                    type?: string;
                    project_id?: string;
                    client_email?: string;
                    /** Format: password */
                    private_key?: string;
                    /**
                     * Format: password
                     * @description The content of the .p8 file.
                     */
                    key?: string;
                    keyId?: string;
                    teamId?: string;
                    bundleId?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        provider: components["schemas"]["PushProvider"];
                        /** @description True when the provider accepted them. False: the provider could not be reached. */
                        checked: boolean;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PUSH_CREDENTIALS_REFUSED` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removePushProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                kind: "fcm" | "apns";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `PROVIDER_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumePushProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                kind: "fcm" | "apns";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        provider: components["schemas"]["PushProvider"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `PROVIDER_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApps: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description `false`: only live apps. `true`: only archived apps. */
                archived?: "false" | "true" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        apps: components["schemas"]["App"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop",
                 *       "subdomain": "shop",
                 *       "teamId": "0198c9a2-1f6c-7a90-8e2d-6b5f4c3a2d18",
                 *       "ios": {
                 *         "storeId": "1234567890",
                 *         "teamId": "DEF123GHIJ",
                 *         "bundleId": "com.example.shop"
                 *       },
                 *       "android": {
                 *         "package": "com.example.shop"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @default {} */
                    ios?: {
                        /** @default null */
                        storeId?: string | null;
                        /** @default null */
                        teamId?: string | null;
                        /** @default null */
                        bundleId?: string | null;
                        /** @default null */
                        storeUrl?: (string & (unknown & unknown)) | null;
                        /**
                         * @description The bundle identifier of the App Clip. With it, Safari shows a page with the card of the App Clip.
                         * @default null
                         */
                        appClipBundleId?: string | null;
                    };
                    /** @default {} */
                    android?: {
                        /** @default null */
                        package?: string | null;
                        /** @default [] */
                        certificates?: string[];
                        /** @default null */
                        storeUrl?: (string & (unknown & unknown)) | null;
                        /** @default null */
                        huaweiStoreUrl?: (string & (unknown & unknown)) | null;
                        /** @default null */
                        amazonStoreUrl?: (string & (unknown & unknown)) | null;
                    };
                    /** @default null */
                    webFallbackUrl?: (string & (unknown & unknown)) | null;
                    /** @default {} */
                    matching?: {
                        /** @default true */
                        existingUsers?: boolean;
                        /**
                         * @default address
                         * @enum {string}
                         */
                        evidence?: "exact" | "address" | "device";
                        /** @default 60 */
                        windowMinutes?: number;
                        /** @default 90 */
                        personMinutes?: number;
                        /** @default 30 */
                        installedWindowMinutes?: number;
                        /** @default 60 */
                        installedPersonMinutes?: number;
                        /** @default 25 */
                        newcomerMinutes?: number;
                        /** @default 15 */
                        otherPlatformMinutes?: number;
                        /** @default 2 */
                        otherPlatformPeople?: number;
                        /** @default 120 */
                        modelWindowMinutes?: number;
                        /** @default 120 */
                        ipv6WindowMinutes?: number;
                        /** @default 240 */
                        ipv6PersonMinutes?: number;
                        /** @default 50 */
                        crowdTaps?: number;
                        /** @default 3 */
                        crowdDevices?: number;
                        /** @default 60 */
                        newDeviceMinutes?: number;
                        /** @default 7 */
                        returningDeviceDays?: number;
                        /** @default 6 */
                        sharedFingerprintPeople?: number;
                        /** @default 1380 */
                        sharedFingerprintMinutes?: number;
                        /** @default 30 */
                        sharedFingerprintDays?: number;
                        /** @default 30 */
                        sameStartSeconds?: number;
                        /** @default 30 */
                        tokenDays?: number;
                        /** @default 30 */
                        emailDays?: number;
                        /** @default 7 */
                        fingerprintDays?: number;
                    };
                    /**
                     * @description Query parameters of taps that `link.clicked` publishes, besides `utm_*` and the click ids of ad networks. All readers of events see their values, so do not add a parameter that identifies a person.
                     * @default []
                     */
                    publishedParameters?: string[];
                    /**
                     * @default off
                     * @enum {string}
                     */
                    identity?: "off" | "preferred" | "required";
                    /**
                     * @description Metadata keys of links whose values travel with events as labels, so that analytics can count by them, e.g. `inviter` or `campaign`. All readers of events see their values, so do not add a key that identifies a person.
                     * @default []
                     */
                    labels?: string[];
                    /** @default UTC */
                    timeZone?: string;
                    /**
                     * @description Whether everyone may see what taps on links of the app do, at `/try`. Else only members may.
                     * @default false
                     */
                    publicTry?: boolean;
                    /**
                     * @description Whether the button to the App Store copies a link that names the tap. The app may read it from the clipboard at its first start and send it as `clipboard` of a restore. iPhones then see a page with the button before the App Store.
                     * @default false
                     */
                    clipboard?: boolean;
                    /** @default {} */
                    branding?: {
                        /**
                         * @description The color of the first button. The color of its text follows from it. Null: black or white.
                         * @default null
                         */
                        color?: string | null;
                        /**
                         * @description A sentence about the app, below its name.
                         * @default null
                         */
                        sentence?: (string & (unknown & unknown & unknown)) | null;
                        /**
                         * @description The SHA-256 of the logo, which is at `/logos/<SHA-256>.png` on every host. `setLogo` changes it.
                         * @default null
                         */
                        logo?: string | null;
                    };
                    /** @default {} */
                    social?: {
                        /**
                         * @description The title of previews, for links without their own. Null: the name of the app.
                         * @default null
                         */
                        title?: (string & (unknown & unknown & unknown)) | null;
                        /**
                         * @description The text of previews, for links without their own. Null: the sentence about the app.
                         * @default null
                         */
                        description?: (string & (unknown & unknown & unknown)) | null;
                        /**
                         * @description The image of previews, for links without their own. Networks show 1200 × 630 pixels whole.
                         * @default null
                         */
                        imageUrl?: (string & (unknown & unknown)) | null;
                    };
                    /**
                     * Format: uuid
                     * @description The team of the app. The operator may omit it.
                     */
                    teamId?: string;
                    name: string;
                    subdomain: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUBDOMAIN_TAKEN`, `SUBDOMAIN_RESERVED`, `TOO_MANY_APPS`, `IDENTITY_SECRET_NEEDED` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made. */
                "If-Match"?: string;
            };
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webFallbackUrl": "https://shop.example.com",
                 *       "timeZone": "Europe/Berlin",
                 *       "labels": [
                 *         "campaign",
                 *         "inviter"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ios?: {
                        storeId?: string | null;
                        teamId?: string | null;
                        bundleId?: string | null;
                        storeUrl?: (string & (unknown & unknown)) | null;
                        appClipBundleId?: string | null;
                    };
                    android?: {
                        package?: string | null;
                        certificates?: string[];
                        storeUrl?: (string & (unknown & unknown)) | null;
                        huaweiStoreUrl?: (string & (unknown & unknown)) | null;
                        amazonStoreUrl?: (string & (unknown & unknown)) | null;
                    };
                    webFallbackUrl?: (string & (unknown & unknown)) | null;
                    matching?: {
                        existingUsers?: boolean;
                        /** @enum {string} */
                        evidence?: "exact" | "address" | "device";
                        windowMinutes?: number;
                        personMinutes?: number;
                        installedWindowMinutes?: number;
                        installedPersonMinutes?: number;
                        newcomerMinutes?: number;
                        otherPlatformMinutes?: number;
                        otherPlatformPeople?: number;
                        modelWindowMinutes?: number;
                        ipv6WindowMinutes?: number;
                        ipv6PersonMinutes?: number;
                        crowdTaps?: number;
                        crowdDevices?: number;
                        newDeviceMinutes?: number;
                        returningDeviceDays?: number;
                        sharedFingerprintPeople?: number;
                        sharedFingerprintMinutes?: number;
                        sharedFingerprintDays?: number;
                        sameStartSeconds?: number;
                        tokenDays?: number;
                        emailDays?: number;
                        fingerprintDays?: number;
                    };
                    /** @description Query parameters of taps that `link.clicked` publishes, besides `utm_*` and the click ids of ad networks. All readers of events see their values, so do not add a parameter that identifies a person. */
                    publishedParameters?: string[];
                    /** @enum {string} */
                    identity?: "off" | "preferred" | "required";
                    /** @description Metadata keys of links whose values travel with events as labels, so that analytics can count by them, e.g. `inviter` or `campaign`. All readers of events see their values, so do not add a key that identifies a person. */
                    labels?: string[];
                    timeZone?: string;
                    /** @description Whether everyone may see what taps on links of the app do, at `/try`. Else only members may. */
                    publicTry?: boolean;
                    /** @description Whether the button to the App Store copies a link that names the tap. The app may read it from the clipboard at its first start and send it as `clipboard` of a restore. iPhones then see a page with the button before the App Store. */
                    clipboard?: boolean;
                    branding?: {
                        color?: string | null;
                        sentence?: (string & (unknown & unknown & unknown)) | null;
                    };
                    social?: {
                        title?: (string & (unknown & unknown & unknown)) | null;
                        description?: (string & (unknown & unknown & unknown)) | null;
                        imageUrl?: (string & (unknown & unknown)) | null;
                    };
                    name?: string;
                    subdomain?: string;
                    /** @description A verified domain of the app for its new links. Null: the subdomain. */
                    primaryDomain?: string | null;
                    /** @description An archived app is not served, and nothing is deleted. `false` restores it. */
                    archived?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SUBDOMAIN_TAKEN`, `SUBDOMAIN_RESERVED`, `TOO_MANY_SUBDOMAINS`, `IDENTITY_SECRET_NEEDED`, `DOMAIN_NOT_VERIFIED` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Team",
                 *       "linksPerMonth": 100000
                 *     }
                 */
                "application/json": {
                    name: string;
                    linksPerMonth: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description In UTC. If omitted: the current month. */
                month?: string;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        month: string;
                        linksCreated: number;
                        /** @description The limit of the current plan. Null: no limit. */
                        limit: number | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    transferApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teamId": "0198c9a2-1f6c-7a90-8e2d-6b5f4c3a2d18"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    teamId: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        teamId: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_APPS` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        findings: {
                            /** @enum {string} */
                            check: "https" | "ios-settings" | "android-settings" | "ios-store" | "android-store" | "apple-file" | "google-file" | "apple-copy" | "google-copy";
                            /** @enum {string} */
                            state: "ok" | "warn" | "failed" | "skipped";
                            /** @description The host of a file. Null for settings. */
                            host: string | null;
                            /** @description What was found, in a sentence. */
                            detail: string;
                            /** @description What to do about it. Null when all is well. */
                            fix: string | null;
                        }[];
                        files: {
                            /** @description The content of apple-app-site-association. Null: there is none. */
                            apple: string | null;
                            /** @description The content of assetlinks.json. Null: there is none. */
                            google: string | null;
                        };
                        /** @description The last regular check of the hosts, which runs once an hour (`ASSOCIATION_CHECKS`). Null: there was none yet. */
                        regular: {
                            /** Format: date-time */
                            checkedAt: string;
                            failing: boolean;
                            findings: {
                                /** @enum {string} */
                                check: "apple-file" | "google-file" | "apple-copy" | "google-copy";
                                /** @enum {string} */
                                state: "ok" | "warn" | "failed" | "skipped";
                                host: string;
                                detail: string;
                                fix: string | null;
                            }[];
                        } | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkHostsNow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        check: {
                            /** Format: date-time */
                            checkedAt: string;
                            failing: boolean;
                            findings: {
                                /** @enum {string} */
                                check: "apple-file" | "google-file" | "apple-copy" | "google-copy";
                                /** @enum {string} */
                                state: "ok" | "warn" | "failed" | "skipped";
                                host: string;
                                detail: string;
                                fix: string | null;
                            }[];
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "image": "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEUaf1qV0savAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4y2NgGAWjYBSMAuwAAAQgAAFWu83mAAAAAElFTkSuQmCC"
                 *     }
                 */
                "application/json": {
                    /** @description A PNG, a JPEG or a WebP image of at most 1 MB in base64. It is encoded anew as a PNG of 256 × 256 pixels. */
                    image: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        app: components["schemas"]["App"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "App 2.4",
                 *       "kind": "mobile"
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    label?: string;
                    /**
                     * @description `mobile`: for an app. `server`: for a backend, with its own rate limits.
                     * @default mobile
                     * @enum {string}
                     */
                    kind?: "mobile" | "server";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["Key"];
                        /** @description It is not stored: save it now. */
                        plaintext: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getKeyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        requests24h: number;
                        share24h: number | null;
                        lastUsedAt: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `KEY_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 86400,
                 *       "label": "App 2.5"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Seconds for which both keys work. Default: one day. Maximum: 30 days.
                     * @default 86400
                     */
                    overlapSeconds?: number;
                    /** @description If omitted: the label of the old key. */
                    label?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["Key"];
                        replaced: components["schemas"]["Key"];
                        /** @description It is not stored: save it now. */
                        plaintext: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `KEY_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RETIRED` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["Key"];
                        /** @description The usage until then. Null when it was not found in time. */
                        usage: {
                            requests24h: number;
                            share24h: number | null;
                            lastUsedAt: string | null;
                        } | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `KEY_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description `archived`; `expired`: expired and not archived; `live`: neither. */
                state?: "live" | "expired" | "archived" | "all";
                /** @description The beginning of the destination if it starts with `/`, else of the slug. For a URL the last part of its path counts. */
                search?: string;
                /** @description Only links created at this time or later. */
                createdFrom?: string;
                /** @description Only links created before this time. */
                createdBefore?: string;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        links: components["schemas"]["Link"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createManagedLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Requests with the same key make one link. Keys sent with a mobile key, with a server key and to the management API are separate. */
                "Idempotency-Key"?: string;
            };
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "/products/42?utm_source=newsletter",
                 *       "metadata": {
                 *         "campaign": "autumn",
                 *         "inviter": "ada"
                 *       },
                 *       "expiresAt": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    destination: string & (unknown & unknown & unknown);
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description The link stops working at this time. Null: never.
                     * @default null
                     */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: components["schemas"]["Link"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `IDEMPOTENCY_KEY_REUSED` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN`, `GENERATED_LINKS_LIMIT_REACHED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                /** @description `archived`; `expired`: expired and not archived; `live`: neither. */
                state?: "live" | "expired" | "archived" | "all";
                /** @description The beginning of the destination if it starts with `/`, else of the slug. For a URL the last part of its path counts. */
                search?: string;
                /** @description Only links created at this time or later. */
                createdFrom?: string;
                /** @description Only links created before this time. */
                createdBefore?: string;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "links": [
                 *         {
                 *           "destination": "/products/42",
                 *           "metadata": {
                 *             "campaign": "autumn",
                 *             "inviter": "ada"
                 *           },
                 *           "idempotencyKey": "row-1"
                 *         }
                 *       ],
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    links: {
                        destination: string & (unknown & unknown & unknown);
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description The link stops working at this time. Null: never.
                         * @default null
                         */
                        expiresAt?: string | null;
                        /**
                         * @description Archives the link at once.
                         * @default false
                         */
                        archived?: boolean;
                        /** @description The same key makes the same link. Give one to each row, so that an import may be repeated. */
                        idempotencyKey?: string;
                    }[];
                    /**
                     * @description Checks every row and creates nothing.
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description One for each link, in the same order. */
                        outcomes: ({
                            /** @constant */
                            success: true;
                            /** @description Null in a dry run. */
                            link: components["schemas"]["Link"] | null;
                            /** @description Why the link does not work, though nothing is wrong with the row. */
                            warning?: string;
                        } | {
                            /** @constant */
                            success: false;
                            code: string;
                            error: string;
                            details?: {
                                path: string;
                                message: string;
                            }[];
                        })[];
                        /** @description Links that were created, or already existed for the same key. In a dry run: those that would be. */
                        created: number;
                        failed: number;
                        /** @description Links that the plan had left in this month before the call. Null: no limit. */
                        left: number | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN`, `GENERATED_LINKS_LIMIT_REACHED` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: components["schemas"]["Link"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    editLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made. */
                "If-Match"?: string;
            };
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "destination": "/products/43",
                 *       "expiresAt": null
                 *     }
                 */
                "application/json": {
                    destination?: string & (unknown & unknown & unknown);
                    /** @description Replaces all metadata of the link. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description The link stops working at this time. Null: never. */
                    expiresAt?: string | null;
                    archived?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: components["schemas"]["Link"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkHistory: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainLink: {
        parameters: {
            query?: {
                /** @description The device and browser that taps: an `id` of `GET /api/manage/explain/devices`. */
                device?: string;
                /** @description A user agent of your own. It replaces that of the device. */
                userAgent?: string;
                /** @description Whether the app is on the device. */
                installed?: "true" | "false";
                /** @description The query of the tapped URL, e.g. `utm_source=poster`. */
                query?: string;
            };
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            appId: string;
                            url: string;
                        };
                        device: {
                            id: string;
                            name: string;
                            userAgent: string;
                        };
                        visitor: {
                            /** @enum {string} */
                            kind: "person" | "bot" | "prefetch" | "unknown";
                            /** @enum {string} */
                            platform: "ios" | "android" | "desktop" | "unknown";
                            /** @description The app whose browser opened the link. */
                            inApp: string | null;
                            store: ("apple" | "play" | "huawei" | "amazon") | null;
                            maybeTablet: boolean;
                        };
                        /** @description True when the phone opens the app by itself. Then the link host gets no request, and would give `answer`. */
                        opensApp: boolean;
                        /**
                         * @description The rule that decides.
                         * @enum {string}
                         */
                        rule: "app-opens" | "app-archived" | "link-archived" | "link-expired" | "prefetch" | "bot" | "unknown-device" | "touch-check" | "desktop-to-web" | "desktop-page" | "in-app-page" | "phone-clip" | "phone-after-exit" | "phone-copies" | "phone-to-store" | "phone-to-web" | "phone-page";
                        steps: {
                            /** @enum {string} */
                            step: "host" | "link" | "visitor" | "app" | "rule" | "answer" | "record" | "install";
                            /** @description A sentence. */
                            detail: string;
                        }[];
                        answer: {
                            status: number;
                            /** @description Where the browser is sent. */
                            url: string | null;
                            /** @description The kind of the page. */
                            page: string | null;
                            headers: {
                                [key: string]: string;
                            };
                            /** @description True when the tap is recorded. */
                            counted: boolean;
                            /** @description True when an install may be matched with the tap. */
                            deferred: boolean;
                            target: ("store" | "web" | "page") | null;
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainUrl: {
        parameters: {
            query: {
                /** @description The URL of the link, perhaps with a query. */
                link: string & (unknown & unknown);
                /** @description The device and browser that taps: an `id` of `GET /api/manage/explain/devices`. */
                device?: string;
                /** @description A user agent of your own. It replaces that of the device. */
                userAgent?: string;
                /** @description Whether the app is on the device. */
                installed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        link: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            appId: string;
                            url: string;
                        };
                        device: {
                            id: string;
                            name: string;
                            userAgent: string;
                        };
                        visitor: {
                            /** @enum {string} */
                            kind: "person" | "bot" | "prefetch" | "unknown";
                            /** @enum {string} */
                            platform: "ios" | "android" | "desktop" | "unknown";
                            /** @description The app whose browser opened the link. */
                            inApp: string | null;
                            store: ("apple" | "play" | "huawei" | "amazon") | null;
                            maybeTablet: boolean;
                        };
                        /** @description True when the phone opens the app by itself. Then the link host gets no request, and would give `answer`. */
                        opensApp: boolean;
                        /**
                         * @description The rule that decides.
                         * @enum {string}
                         */
                        rule: "app-opens" | "app-archived" | "link-archived" | "link-expired" | "prefetch" | "bot" | "unknown-device" | "touch-check" | "desktop-to-web" | "desktop-page" | "in-app-page" | "phone-clip" | "phone-after-exit" | "phone-copies" | "phone-to-store" | "phone-to-web" | "phone-page";
                        steps: {
                            /** @enum {string} */
                            step: "host" | "link" | "visitor" | "app" | "rule" | "answer" | "record" | "install";
                            /** @description A sentence. */
                            detail: string;
                        }[];
                        answer: {
                            status: number;
                            /** @description Where the browser is sent. */
                            url: string | null;
                            /** @description The kind of the page. */
                            page: string | null;
                            headers: {
                                [key: string]: string;
                            };
                            /** @description True when the tap is recorded. */
                            counted: boolean;
                            /** @description True when an install may be matched with the tap. */
                            deferred: boolean;
                            target: ("store" | "web" | "page") | null;
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainPage: {
        parameters: {
            query: {
                /** @description The URL of the link, perhaps with a query. */
                link: string & (unknown & unknown);
                /** @description The device and browser that taps: an `id` of `GET /api/manage/explain/devices`. */
                device?: string;
                /** @description A user agent of your own. It replaces that of the device. */
                userAgent?: string;
                /** @description Whether the app is on the device. */
                installed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND`, `NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openExplanation: {
        parameters: {
            query: {
                /** @description The URL of the link, perhaps with a query. */
                link: string & (unknown & unknown);
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on. */
            302: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    /** @description The URL to go to. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LINK_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTryDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        devices: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            group: "ios" | "ios-in-app" | "android" | "android-in-app" | "computer" | "other" | "bot";
                            userAgent: string;
                        }[];
                    };
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRestores: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        restores: {
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            at: string;
                            matchType: ("token" | "email" | "fingerprint" | "address") | null;
                            summary: string;
                            considered: {
                                /** Format: uuid */
                                pendingLinkId: string;
                                /** Format: uuid */
                                linkId: string;
                                /** Format: date-time */
                                tappedAt: string;
                                /** @enum {string} */
                                matchType: "token" | "email" | "fingerprint" | "address";
                                taken: boolean;
                                reason: string;
                            }[];
                            releasedAt: string | null;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMatching: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The reason why phones that look new may belong to older users of the app. While it lasts, a restore without `installedSecondsAgo` matches by address only a tap of the last 5 minutes, and only when one person is there. `young`: the app is less than 8 days old. `manyNewDevices`: at least 6 % of the devices of the last 24 hours had never been seen before. Null: there is no such reason, or the app had no users before (`matching.existingUsers` is false). */
                        rollout: {
                            /** @enum {string} */
                            reason: "young" | "manyNewDevices";
                            until: string | null;
                        } | null;
                        /** @description Devices on which the app was started in the last 24 hours. */
                        devices: {
                            seen: number;
                            firstSeen: number;
                        };
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    whatIfMatching: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "matching": {
                 *         "windowMinutes": 60,
                 *         "personMinutes": 120
                 *       },
                 *       "days": 30
                 *     }
                 */
                "application/json": {
                    /** @description The settings to try, instead of those of the app. Windows are at most 120 minutes: decisions remember no older taps. Settings of exact keys and `sharedFingerprintMinutes` cannot be replayed. */
                    matching: {
                        existingUsers?: boolean;
                        /** @enum {string} */
                        evidence?: "exact" | "address" | "device";
                        windowMinutes?: number;
                        personMinutes?: number;
                        installedWindowMinutes?: number;
                        installedPersonMinutes?: number;
                        newcomerMinutes?: number;
                        otherPlatformMinutes?: number;
                        otherPlatformPeople?: number;
                        modelWindowMinutes?: number;
                        ipv6WindowMinutes?: number;
                        ipv6PersonMinutes?: number;
                        crowdTaps?: number;
                        crowdDevices?: number;
                        newDeviceMinutes?: number;
                        returningDeviceDays?: number;
                        sharedFingerprintPeople?: number;
                        sharedFingerprintDays?: number;
                        sameStartSeconds?: number;
                    };
                    /**
                     * @description The number of last days.
                     * @default 30
                     */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /**
                         * Format: date-time
                         * @description The time of the oldest decision that could be replayed.
                         */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /** @description `rows`: there are more than 100,000 decisions, so the oldest are left out. `time`: the replay took too long, so the newest are left out. Null: all are replayed. */
                        cut: ("rows" | "time") | null;
                        decisions: {
                            /** @description Restores with a decision. */
                            total: number;
                            /** @description Decisions of which no facts are stored, e.g. of an older version of Landfall. They stay as they were. */
                            withoutFacts: number;
                            /** @description Decisions among so many taps that the facts do not reach back far enough for these settings. They stay as they were. */
                            outOfReach: number;
                        };
                        given: {
                            /** @description Restores that got a link. */
                            before: number;
                            /** @description Restores that get a link with the changed settings. */
                            after: number;
                            /** @description Restores that got no link and now get one. */
                            newly: number;
                            /** @description Restores that got a link and now get none. */
                            noLonger: number;
                            /** @description Restores that now get another link. */
                            otherLink: number;
                        };
                        /** @description What matching by address alone would have given where a token or an email says whose the link is. */
                        truth: {
                            /** @description Restores whose link a token or an email names. */
                            known: number;
                            /** @description Matching by address with the current settings. */
                            current: {
                                /** @description Restores that get a link which their token or email names. */
                                right: number;
                                /** @description Restores that get another link. */
                                wrong: number;
                                /** @description Restores that get no link. */
                                missed: number;
                            };
                            /** @description Matching by address with the changed settings. */
                            changed: {
                                /** @description Restores that get a link which their token or email names. */
                                right: number;
                                /** @description Restores that get another link. */
                                wrong: number;
                                /** @description Restores that get no link. */
                                missed: number;
                            };
                        };
                        /** @description The newest restores whose links differ, at most 20 of each kind. */
                        examples: {
                            /** Format: uuid */
                            restoreId: string;
                            /** Format: date-time */
                            at: string;
                            before: {
                                /** @description Null: no link. */
                                matchType: ("token" | "email" | "fingerprint" | "address") | null;
                                linkIds: string[];
                                /** @description The decision as a sentence. */
                                reason: string;
                            };
                            after: {
                                /** @description Null: no link. */
                                matchType: ("token" | "email" | "fingerprint" | "address") | null;
                                linkIds: string[];
                                /** @description The decision as a sentence. */
                                reason: string;
                            };
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query: {
                /** @description A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`. */
                from?: string;
                /** @description A day, which is included, or a time, which is not. If omitted: the present. */
                to?: string;
                /** @description A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives. */
                filter?: string[];
                /** @description What is counted. `visitors`: people who clicked, each once a day; for anything longer the mean of the days. */
                metric: "clicks" | "visitors" | "storeRedirects" | "installs" | "attributedInstalls" | "restores" | "opens" | "activeDevices" | "linksCreated" | "registrations" | "pushesSent" | "pushesOpened";
                /** @description The length of a bucket. `total`: one bucket. */
                interval?: "hour" | "day" | "week" | "month" | "total";
                /** @description Splits the figures by a dimension: `link`, `country`, `platform`, `os`, `browser`, `language`, `referrer`, `inAppBrowser`, `utmSource`, `utmMedium`, `utmCampaign`, `utmTerm`, `utmContent`, `via`, `matchType`, `appVersion`, or `label:` with the key of a label. Not every metric has all of them. */
                groupBy?: ("link" | "country" | "platform" | "os" | "browser" | "language" | "referrer" | "inAppBrowser" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "via" | "matchType" | "appVersion") | string;
                /** @description The most groups. */
                limit?: number;
                /** @description Adds the period of equal length before. */
                compare?: "previous";
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @enum {string} */
                        metric: "clicks" | "visitors" | "storeRedirects" | "installs" | "attributedInstalls" | "restores" | "opens" | "activeDevices" | "linksCreated" | "registrations" | "pushesSent" | "pushesOpened";
                        /** @enum {string} */
                        interval: "hour" | "day" | "week" | "month" | "total";
                        /** @description The app's time zone, in which days and hours are counted. */
                        timeZone: string;
                        /** Format: date-time */
                        from: string;
                        /**
                         * Format: date-time
                         * @description Exclusive.
                         */
                        to: string;
                        /** @description Figures before this time are not complete. Null: nothing was counted so far. */
                        completeFrom: string | null;
                        /**
                         * @description `counts`: kept forever. `facts`: single events, kept for a limited time (`KEEP_ANALYTICS_DAYS`).
                         * @enum {string}
                         */
                        source: "counts" | "facts";
                        buckets: {
                            /** Format: date-time */
                            from: string;
                            /**
                             * Format: date-time
                             * @description Exclusive.
                             */
                            to: string;
                        }[];
                        total: number;
                        /** @description A figure for each bucket. */
                        values: number[];
                        /** @description The period of equal length before, with `compare=previous`. */
                        previous: {
                            /** Format: date-time */
                            from: string;
                            /** Format: date-time */
                            to: string;
                            total: number;
                            /** @description A figure for each bucket. */
                            values: number[];
                        } | null;
                        /** @description With `groupBy`: the groups with the greatest totals. */
                        groups: {
                            /** @description Null: events without a value. */
                            value: string | null;
                            /** @description The slug, if the value is the id of a link. */
                            name: string | null;
                            total: number;
                            /** @description A figure for each bucket. */
                            values: number[];
                            previousTotal: number | null;
                        }[] | null;
                        /** @description The sum of all groups that are not listed. */
                        other: {
                            groups: number;
                            total: number;
                            /** @description A figure for each bucket. */
                            values: number[];
                        } | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `RANGE_EMPTY`, `RANGE_TOO_LONG`, `DIMENSION_UNKNOWN`, `QUESTION_TOO_LARGE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_QUESTIONS`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAnalytics: {
        parameters: {
            query: {
                /** @description A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`. */
                from?: string;
                /** @description A day, which is included, or a time, which is not. If omitted: the present. */
                to?: string;
                /** @description A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives. */
                filter?: string[];
                /** @description What is counted. `visitors`: people who clicked, each once a day; for anything longer the mean of the days. */
                metric: "clicks" | "visitors" | "storeRedirects" | "installs" | "attributedInstalls" | "restores" | "opens" | "activeDevices" | "linksCreated" | "registrations" | "pushesSent" | "pushesOpened";
                /** @description The length of a bucket. `total`: one bucket. */
                interval?: "hour" | "day" | "week" | "month" | "total";
                /** @description Splits the figures by a dimension: `link`, `country`, `platform`, `os`, `browser`, `language`, `referrer`, `inAppBrowser`, `utmSource`, `utmMedium`, `utmCampaign`, `utmTerm`, `utmContent`, `via`, `matchType`, `appVersion`, or `label:` with the key of a label. Not every metric has all of them. */
                groupBy?: ("link" | "country" | "platform" | "os" | "browser" | "language" | "referrer" | "inAppBrowser" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "via" | "matchType" | "appVersion") | string;
                /** @description The most groups. */
                limit?: number;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description `INVALID_REQUEST`, `RANGE_EMPTY`, `RANGE_TOO_LONG`, `DIMENSION_UNKNOWN`, `QUESTION_TOO_LARGE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_QUESTIONS`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFunnel: {
        parameters: {
            query?: {
                /** @description A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`. */
                from?: string;
                /** @description A day, which is included, or a time, which is not. If omitted: the present. */
                to?: string;
                /** @description A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives. */
                filter?: string[];
                /** @description Splits the figures by a dimension: `link`, `country`, `platform`, `os`, `browser`, `language`, `referrer`, `inAppBrowser`, `utmSource`, `utmMedium`, `utmCampaign`, `utmTerm`, `utmContent`, `via`, `matchType`, `appVersion`, or `label:` with the key of a label. Not every metric has all of them. */
                groupBy?: ("link" | "country" | "platform" | "os" | "browser" | "language" | "referrer" | "inAppBrowser" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "via" | "matchType" | "appVersion") | string;
                /** @description The most groups. */
                limit?: number;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The app's time zone, in which days and hours are counted. */
                        timeZone: string;
                        /** Format: date-time */
                        from: string;
                        /**
                         * Format: date-time
                         * @description Exclusive.
                         */
                        to: string;
                        /** @description Figures before this time are not complete. Null: nothing was counted so far. */
                        completeFrom: string | null;
                        groups: {
                            /** @description Null: events without a value. */
                            value: string | null;
                            /** @description The slug, if the value is the id of a link. */
                            name: string | null;
                            steps: {
                                /**
                                 * @description Events in the range. `installs`: installs that a link led to. `opens`: openings by the installed app, also without a click.
                                 * @enum {string}
                                 */
                                step: "clicks" | "storeRedirects" | "installs" | "restores" | "opens";
                                /** @description Null: this step cannot be split or filtered like this. */
                                count: number | null;
                                /** @description Seconds since the click. Null: the events of this step do not name their click, or there are none. */
                                sinceClick: {
                                    median: number;
                                    p90: number;
                                } | null;
                            }[];
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `RANGE_EMPTY`, `RANGE_TOO_LONG`, `DIMENSION_UNKNOWN`, `QUESTION_TOO_LARGE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_QUESTIONS`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCohorts: {
        parameters: {
            query?: {
                /** @description A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`. */
                from?: string;
                /** @description A day, which is included, or a time, which is not. If omitted: the present. */
                to?: string;
                /** @description A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives. */
                filter?: string[];
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The app's time zone, in which days and hours are counted. */
                        timeZone: string;
                        /** Format: date-time */
                        from: string;
                        /**
                         * Format: date-time
                         * @description Exclusive.
                         */
                        to: string;
                        /** @description Figures before this time are not complete. Null: nothing was counted so far. */
                        completeFrom: string | null;
                        cohorts: {
                            /** Format: date */
                            day: string;
                            installs: number;
                            /** @description Devices that started the app 1 to 30 days of 24 hours after their install. Null: not over yet. */
                            active: (number | null)[];
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `RANGE_EMPTY`, `RANGE_TOO_LONG`, `DIMENSION_UNKNOWN`, `QUESTION_TOO_LARGE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_QUESTIONS`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReferrals: {
        parameters: {
            query: {
                /** @description A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`. */
                from?: string;
                /** @description A day, which is included, or a time, which is not. If omitted: the present. */
                to?: string;
                /** @description A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives. */
                filter?: string[];
                /** @description A key of the app's `labels`, e.g. `inviter`. */
                label: string;
                /** @description The most groups. */
                limit?: number;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The app's time zone, in which days and hours are counted. */
                        timeZone: string;
                        /** Format: date-time */
                        from: string;
                        /**
                         * Format: date-time
                         * @description Exclusive.
                         */
                        to: string;
                        /** @description Figures before this time are not complete. Null: nothing was counted so far. */
                        completeFrom: string | null;
                        referrals: {
                            value: string;
                            /** @description Links created with this label: invites sent. */
                            links: number;
                            /** @description Links that were clicked at least once in the range. */
                            tappedLinks: number;
                            clicks: number;
                            /** @description Installs that these links led to. */
                            installs: number;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `RANGE_EMPTY`, `RANGE_TOO_LONG`, `DIMENSION_UNKNOWN`, `QUESTION_TOO_LARGE` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_QUESTIONS`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        events: {
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            at: string;
                            /** @enum {string} */
                            kind: "click" | "open" | "install" | "restore" | "active" | "linkCreated" | "registration" | "pushSent" | "pushOpened";
                            linkId: string | null;
                            country: string | null;
                            platform: string | null;
                            os: string | null;
                            browser: string | null;
                            referrer: string | null;
                            inAppBrowser: string | null;
                            via: string | null;
                            utmCampaign: string | null;
                            matchType: string | null;
                            toStore: boolean | null;
                            appVersion: string | null;
                            labels: {
                                [key: string]: string;
                            };
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamLive: {
        parameters: {
            query?: {
                /** @description The same as `Last-Event-ID`, for a client that opens a new stream, where a browser sends no header. */
                lastEventId?: string;
            };
            header?: {
                /** @description The `id` of the last event, which a browser sends when it connects again. Events since then are sent first; some of them may come a second time, with the same `id` in their data. */
                "Last-Event-ID"?: string;
            };
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_STREAMS`, `RATE_LIMITED` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        domains: components["schemas"]["Domain"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "go.example.com"
                 *     }
                 */
                "application/json": {
                    /** @description A host name of your own, such as `go.example.com`, also with letters beyond ASCII. It has at least two labels, and the last one begins with a letter. In its DNS form it has at most 243 characters. Names of this installation are not allowed. */
                    domain: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        domain: components["schemas"]["Domain"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DOMAIN_TAKEN`, `DOMAIN_EXISTS`, `TOO_MANY_DOMAINS` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        domain: components["schemas"]["Domain"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `DOMAIN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DOMAIN_UNPROVEN`, `DOMAIN_TAKEN` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `DNS_SILENT`, `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `DOMAIN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIdentitySecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        secrets: {
                            /** Format: uuid */
                            id: string;
                            hint: string;
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makeIdentitySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapSeconds": 86400
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Seconds for which the previous secret stays valid. Older secrets end at once. 0: the previous one also ends at once.
                     * @default 86400
                     */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description A secret without its plaintext, which is shown only once, at its creation. */
                        secret: {
                            /** Format: uuid */
                            id: string;
                            hint: string;
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                        };
                        secrets: {
                            /** Format: uuid */
                            id: string;
                            hint: string;
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                        }[];
                        /** @description Shown only now. Its characters are the key of HS256. */
                        plaintext: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeIdentitySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                secretId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        secrets: {
                            /** Format: uuid */
                            id: string;
                            hint: string;
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                        }[];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `APP_NOT_FOUND`, `IDENTITY_SECRET_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDENTITY_SECRET_NEEDED` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        teams: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** Format: date-time */
                            createdAt: string;
                            version: number;
                            /** @description The caller's role. Null for the operator, and for owners of the installation who are not in the team. */
                            role: ("viewer" | "member" | "admin" | "owner") | null;
                        }[];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        team: components["schemas"]["Team"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOO_MANY_TEAMS` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        team: components["schemas"]["Team"];
                        /**
                         * @description The caller's role in the team.
                         * @enum {string}
                         */
                        role: "viewer" | "member" | "admin" | "owner";
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made. */
                "If-Match"?: string;
            };
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_HAS_APPS` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renameTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the replies that the edit may be based on, or `*`. The edit is refused with 412 if the version has changed since. Without this header the edit is always made. */
                "If-Match"?: string;
            };
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop and store"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        team: components["schemas"]["Team"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `VERSION_MISMATCH` */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        members: components["schemas"]["Member"][];
                        invitations: components["schemas"]["Invitation"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND`, `MEMBER_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LAST_OWNER` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        member: components["schemas"]["Member"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND`, `MEMBER_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `LAST_OWNER` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string & (unknown & unknown);
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        invitation: components["schemas"]["Invitation"];
                        /**
                         * Format: password
                         * @description Can be used once, by the owner of this email.
                         */
                        code: string;
                        /** @description The command for a person without an account. A person with an account signs in and accepts the invitation. */
                        curl: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ALREADY_MEMBER` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND`, `INVITATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    lookAtInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        teamName: string;
                        email: string;
                        /** @enum {string} */
                        role: "viewer" | "member" | "admin" | "owner";
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVITATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        team: components["schemas"]["Team"];
                        /** @enum {string} */
                        role: "viewer" | "member" | "admin" | "owner";
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN`, `INVITED_OTHER` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVITATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    joinByInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs",
                 *       "name": "Grace Hopper",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    code: string;
                    /** @description The name of the person. */
                    name: string;
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        session: components["schemas"]["Session"];
                        team: components["schemas"]["Team"];
                        /** @enum {string} */
                        role: "viewer" | "member" | "admin" | "owner";
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PASSWORD_TOO_SHORT`, `PASSWORD_COMMON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INVITATION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PERSON_EXISTS` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SIGN_IN_BUSY`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTeamTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tokens: components["schemas"]["Token"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeTeamToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                teamId: string;
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        token: components["schemas"]["Token"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND`, `TOKEN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Only changes to this app. */
                appId?: string;
                /** @description Only changes by this person, or by a token of this person. */
                userId?: string;
            };
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description `jsonl`: one entry per line, in the format of the list. */
                format?: "csv" | "jsonl";
                /** @description Only changes to this app. */
                appId?: string;
                /** @description Only changes by this person, or by a token of this person. */
                userId?: string;
            };
            header?: never;
            path: {
                teamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInstanceAudit: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description If omitted: entries that belong to no team. */
                teamId?: string;
                /** @description Only changes to this app. */
                appId?: string;
                /** @description Only changes by this person, or by a token of this person. */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportInstanceAudit: {
        parameters: {
            query?: {
                /** @description `jsonl`: one entry per line, in the format of the list. */
                format?: "csv" | "jsonl";
                /** @description If omitted: entries that belong to no team. */
                teamId?: string;
                /** @description Only changes to this app. */
                appId?: string;
                /** @description Only changes by this person, or by a token of this person. */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSetUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description True when the instance has no owner yet. */
                        needed: boolean;
                        /** @description The public URL of the instance. A page under another URL has no session. */
                        publicUrl: string;
                        /** @description The domain of the link hosts, with its port. */
                        linkDomain: string;
                        /** @description The OpenID Connect provider. Null: there is none. */
                        oidc: {
                            name: string;
                        } | null;
                    };
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs",
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple",
                 *       "name": "Ada Lovelace",
                 *       "teamName": "Shop"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    code: string;
                    /** Format: email */
                    email: string & (unknown & unknown);
                    /** Format: password */
                    password: string;
                    /** @description The name of the person. */
                    name: string;
                    teamName: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PASSWORD_TOO_SHORT`, `PASSWORD_COMMON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CODE_UNKNOWN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SET_UP_DONE` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SIGN_IN_BUSY`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string & (unknown & unknown);
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `WRONG_CREDENTIALS` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SIGN_IN_DELAYED`, `SIGN_IN_BUSY`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    goToProvider: {
        parameters: {
            query?: {
                /** @description The path on this host to open afterwards. */
                to?: string & (unknown & unknown & unknown);
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on. */
            302: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    /** @description The URL to go to. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    returnFromProvider: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Go on. */
            302: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    /** @description The URL to go to. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    choosePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    code: string;
                    /** Format: password */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PASSWORD_TOO_SHORT`, `PASSWORD_COMMON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CODE_UNKNOWN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SIGN_IN_BUSY`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /**
                         * @description `visitor`: nobody is signed in, and the installation shows a demo to everyone.
                         * @enum {string}
                         */
                        kind: "person" | "token" | "operator" | "visitor";
                        /** @description Null for the operator and for visitors. */
                        person: components["schemas"]["Person"] | null;
                        /** @description The scope of a token. The token acts in one team only, never with more than this scope. */
                        scope: ("read" | "write") | null;
                        teams: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @enum {string} */
                            role: "viewer" | "member" | "admin" | "owner";
                        }[];
                        /** @description The OpenID Connect providers through which the person signs in. Empty for a token. */
                        identities: components["schemas"]["Identity"][];
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PERSON_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renameMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": {
                    /** @description The name of the person. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PERSON_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current": "correct horse battery staple",
                 *       "next": "seven brown foxes on a roof"
                 *     }
                 */
                "application/json": {
                    /** Format: password */
                    current: string;
                    /** Format: password */
                    next: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON`, `PASSWORD_TOO_SHORT`, `PASSWORD_COMMON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN`, `WRONG_CREDENTIALS` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PERSON_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SIGN_IN_BUSY`, `SIGN_IN_DELAYED`, `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        sessions: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        ended: number;
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        ended: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `SESSION_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMyTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tokens: components["schemas"]["Token"][];
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teamId": "0198c9a2-1f6c-7a90-8e2d-6b5f4c3a2d18",
                 *       "scope": "write",
                 *       "label": "Deployment",
                 *       "expiresAt": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    teamId: string;
                    /**
                     * @description `read` may read what you may read; `write` may do what you may do, but at most what an admin may.
                     * @enum {string}
                     */
                    scope: "read" | "write";
                    /** @default  */
                    label?: string;
                    /**
                     * @description The token is refused from this time on. Null: never.
                     * @default null
                     */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        token: components["schemas"]["Token"];
                        /** @description It is not stored: save it now. */
                        plaintext: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TEAM_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeMyToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        token: components["schemas"]["Token"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOKEN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description Rows per page. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        people: components["schemas"]["Person"][];
                        /** @description The cursor of the next page; null at the end. */
                        next: string | null;
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string & (unknown & unknown);
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        person: components["schemas"]["Person"];
                        /**
                         * Format: password
                         * @description Can be used once, by this person only.
                         */
                        code: string;
                        /**
                         * Format: uri
                         * @description The page of the web app that uses the code. Send it to the person.
                         */
                        url: string;
                        /** @description The command that uses the code. */
                        curl: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PERSON_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOwnerTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tokens: components["schemas"]["OwnerToken"][];
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOwnerToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Backup",
                 *       "expiresAt": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    label?: string;
                    /**
                     * @description The token is refused from this time on. Null: never.
                     * @default null
                     */
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        token: components["schemas"]["OwnerToken"];
                        /** @description It is not stored: save it now. */
                        plaintext: string;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeOwnerToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        token: components["schemas"]["OwnerToken"];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOKEN_NOT_FOUND` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description If omitted: all groups. */
                group?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        groups: string[];
                        letters: components["schemas"]["DeadLetter"][];
                    };
                };
            };
            /** @description `INVALID_REQUEST` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "group": "landfall.attribution"
                 *     }
                 */
                "application/json": {
                    group: string;
                    /** @description The letters at these places. If omitted: all that were neither replayed nor dropped. */
                    places?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The number of replayed letters. In one process, letters that failed again are not counted. */
                        replayed: number;
                        /** @description The number of letters that are still being replayed after three seconds, in one process. They go on: `replaying` of the listed letters says which. */
                        running: number;
                    };
                };
            };
            /** @description `INVALID_REQUEST`, `INVALID_JSON` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CROSS_SITE`, `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BODY_TOO_LARGE` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    seeGateway: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        gateway: {
                            /** @description The name of this gateway among several. */
                            instance: string;
                            /** @description The version of Landfall. */
                            version: string;
                            node: string;
                            /** Format: date-time */
                            now: string;
                            publicUrl: string;
                            linkDomain: string;
                            /** @description IPV6_HOST. Null: it is not set. */
                            ipv6Host: string | null;
                            /** @description TRUST_PROXY. */
                            trustProxy: string;
                            /**
                             * @description The place where rate limits are counted now.
                             * @enum {string}
                             */
                            limitsIn: "memory" | "redis";
                            hashSecret: {
                                /** @description Equal on gateways with the same HASH_SECRET. It reveals nothing else about the secret. */
                                check: string;
                                /** @description True when the secret looks like words or a pattern and not random. */
                                guessable: boolean;
                            };
                            caller: {
                                /** @description The other end of the connection. */
                                peer: string;
                                /** @description True when the X-Forwarded-For of the peer is trusted. */
                                trusted: boolean;
                                /** @description X-Forwarded-For as received. */
                                forwardedFor: string | null;
                                /** @description The client's address of this request. */
                                address: string;
                                /** @description True when a pending link may be matched by this address. */
                                matchable: boolean;
                            };
                            /** @description Peers that send X-Forwarded-For and are not trusted. */
                            untrustedProxies: string[];
                            /** @description The last taps and app starts that this gateway saw, at most 1,000. */
                            people: {
                                requests: number;
                                since: string | null;
                                /** @description The number of different addresses. */
                                addresses: number;
                                /** @description The number of requests with X-Forwarded-For. */
                                forwarded: number;
                                mostFrequent: {
                                    requests: number;
                                    /** @description Null for an address on the internet. */
                                    address: string | null;
                                } | null;
                            };
                        };
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Requests allowed per minute and address, or per server key. */
                    "RateLimit-Limit"?: number;
                    /** @description Requests left in this window. */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        groups: {
                            group: string;
                            /** @description The number of processes that share the work. 0: none runs. */
                            members: number;
                            /** @description The number of messages that are not done yet. */
                            lag: number;
                            /** @description Milliseconds that the oldest of them has waited, at least. Over Kafka in steps from a minute on. */
                            waitedMs: number;
                        }[];
                    };
                };
            };
            /** @description `NOT_SIGNED_IN` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `METHOD_NOT_ALLOWED` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMITED` */
            429: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and the headers are longer than 16 KB. The code is `INVALID_REQUEST`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FAILED` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `BUSY`, `NO_ANSWER` */
            503: {
                headers: {
                    /** @description Seconds to wait before you repeat the request. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
