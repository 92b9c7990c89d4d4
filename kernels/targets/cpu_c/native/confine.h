#ifndef KW_CONFINE_H
#define KW_CONFINE_H
/* Before the candidate is loaded: no new threads or processes, no network, no writing opens. 0 on success. */
int kw_confine_load(void);
/* After it: an allow-list; a call outside it raises SIGSYS. Writes only to these two descriptors. 0 on success. */
int kw_confine_run(int reply_fd, int status_fd);
#endif
