# What is installed, and the Debian packages that `cpack -G DEB` makes of it:
#
#     bubblescope       the command line, without Qt
#     bubblescope-ui    the window with its desktop files; depends on the command line, which executes for it

include(GNUInstallDirs)

set(desktop "${CMAKE_SOURCE_DIR}/resources/desktop")
set(icons "${CMAKE_SOURCE_DIR}/resources/icons")
install(FILES "${desktop}/copyright" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/bubblescope" COMPONENT cli)
if(TARGET bubblescope-ui)
  install(FILES "${desktop}/copyright" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/bubblescope-ui" COMPONENT ui)
  install(FILES "${desktop}/bubblescope.desktop" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/applications" COMPONENT ui)
  install(FILES "${desktop}/org.bubblescope.Bubblescope.metainfo.xml"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/metainfo" COMPONENT ui)
  install(FILES "${desktop}/bubblescope-mime.xml" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/mime/packages"
    RENAME bubblescope.xml COMPONENT ui)
  install(FILES "${icons}/bubblescope.svg"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor/scalable/apps" COMPONENT ui)
  install(FILES "${icons}/application-x-bubblescope.svg"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor/scalable/mimetypes" COMPONENT ui)
endif()

# Packages are made of what is built; else they would build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_PACKAGE_NAME bubblescope)
set(CPACK_PACKAGE_VENDOR "The Bubblescope project")
set(CPACK_PACKAGE_CONTACT "The Bubblescope project <maintainers@bubblescope.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli ui)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME bubblescope)
# The flavour of OpenBLAS is named: the serial one computes wrong numbers when threads share it.
set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "libopenblas0-pthread")
set(CPACK_COMPONENT_CLI_DESCRIPTION "schedules of pipeline-parallel training: simulate, execute, explain
Predicts pipeline-parallel schedules, really executes them, records and imports traces, and says where
the time and the memory go. This is the command line.")
set(CPACK_DEBIAN_UI_PACKAGE_NAME bubblescope-ui)
set(CPACK_DEBIAN_UI_PACKAGE_DEPENDS "bubblescope (= ${PROJECT_VERSION}), libqt6svg6")
set(CPACK_DEBIAN_UI_PACKAGE_RECOMMENDS "desktop-file-utils, fonts-dejavu-core, hicolor-icon-theme, qt6-translations-l10n, qt6-wayland, shared-mime-info")
set(CPACK_COMPONENT_UI_DESCRIPTION "schedules of pipeline-parallel training: the window
Draws predicted, executed and recorded runs under one time axis, explains every idle gap and compares
schedules. This is the desktop application.")
include(CPack)
