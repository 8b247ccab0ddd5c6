/* A client that takes the selection at each click. As the ICCCM (2.1) wants it, it passes the time of
 * the event that made it do so; with an argument it passes CurrentTime. */
#include <X11/Xlib.h>
#include <X11/Xatom.h>

int main(int argc, char **argv) {
    (void)argv;
    Display *display = XOpenDisplay(0);
    if (!display) return 1;
    Window root = DefaultRootWindow(display);
    Window window = XCreateSimpleWindow(display, root, 0, 0, 200, 100, 0, 0, 0xffffff);
    XSelectInput(display, window, ButtonPressMask | ButtonReleaseMask | StructureNotifyMask);
    XMapWindow(display, window);
    for (int clicks = 0; clicks < 3;) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type != ButtonRelease) continue;
        clicks++;
        Time time = argc > 1 ? CurrentTime : event.xbutton.time;
        XSetSelectionOwner(display, XA_PRIMARY, window, time);
        if (XGetSelectionOwner(display, XA_PRIMARY) != window) return 2;
    }
    return 0;
}
